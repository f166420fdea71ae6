import { expect, test } from 'vitest';

import { formationWorld } from './formation-world.js';

interface Accepted {
  readonly state: string;
  readonly seats: readonly { readonly name: string; readonly core?: string }[];
}

/** What each plugin calls, in a repository that has no roles: the file its lane keeps is all that comes to be. */
const ALONE = [
  ['dev-crew', 'formation.crew', 'crew'],
  ['brainstorm-panel', 'formation.panel', 'panel'],
  ['research-sweep', 'formation.sweep', 'research'],
] as const;

test.each(ALONE)(
  '%s alone composes its line-up, mints its rows in its own lane, and needs no core role',
  async (_plugin, operation, lane) => {
    const world = formationWorld();
    const { state, seats } = (await world.call(operation, { goal: 'Drop the queue', yes: true })) as Accepted;
    expect(state).toBe('running');
    expect(seats.length).toBeGreaterThan(2);
    expect(seats.filter(({ core }) => core !== undefined)).toEqual([]);
    const { texts } = world.roles;
    expect([...texts.keys()]).toEqual([`.claude/roles/${lane}.md`]);
    expect(texts.get(`.claude/roles/${lane}.md`)).toMatch(/^- status: probationary$/m);
  },
);

test.each(ALONE)(
  'with a core role of that name %s gives a seat its identity, and changes nothing of the core',
  async (_plugin, operation, lane) => {
    const world = formationWorld();
    const name = ((await world.call(operation, { goal: 'Drop the queue' })) as Accepted).seats[0]?.name ?? '';
    const core = `# ${name}\n\n## Charter\n\nKnows it all.\n\n## Body\n\nLooks.\n\n## Learnings (core)\n\n## Learnings (solo)\n`;
    const linked = formationWorld();
    const { texts } = linked.roles;
    texts.set(`.claude/roles/${name}.md`, core);
    texts.set(
      `.claude/roles/${lane}.md`,
      `### ${name}\n- role: ${name}\n- status: stable\n- runs: clean 3, thin 0, cuts 0\n`,
    );
    const { seats } = (await linked.call(operation, { goal: 'Drop the queue', yes: true })) as Accepted;
    expect(seats.find((seat) => seat.name === name)).toMatchObject({ core: name });
    expect(texts.get(`.claude/roles/${name}.md`)).toBe(core);
  },
);
