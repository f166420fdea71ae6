import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { ClaudeRoleFolder } from '#adapters/roles/role-folder.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { committedIn } from '#operations/change-mark.js';
import { loadAgency } from '#operations/load-agency.js';
import type { Context } from '#operations/operation.js';
import { followAccepted } from '#operations/roles/acceptance.js';
import { rolesGraduate } from '#operations/roles/graduate.js';
import { learn } from '#operations/roles/learn.js';
import { rolesAccept, rolesPropose, rolesReject } from '#operations/roles/proposals.js';
import { retire } from '#operations/roles/row-moves.js';
import { verifies } from '../../verifies.js';
import { stage } from '../agency/place.js';

const row = (lesson: string) => `### qa\n- role: qa\n- status: stable\n- learnings:\n  - 2026-02-02 — ${lesson}\n`;
const TEXTS = {
  '.claude/roles/qa.md': '# qa\n\n## Charter\n\nChecks.\n\n## Learnings (core)\n\n## Learnings (solo)\n',
  '.claude/roles/crew.md': row('Check the unit first'),
  '.claude/roles/panel.md': row('check the unit first'),
};
const WISH = { role: 'qa', section: 'charter', text: 'Checks with evidence.', why: 'came back twice' } as const;

/** A project whose role files lie on disk. `stop` names the step before which everything stops. */
async function onDisk() {
  const own = await stage();
  for (const [file, text] of Object.entries(TEXTS)) {
    mkdirSync(path.dirname(path.join(own.project, file)), { recursive: true });
    writeFileSync(path.join(own.project, file), text);
  }
  const steps: string[] = [];
  const disk: { stop?: string; follows: boolean } = { follows: true };
  const step = (name: string) => {
    steps.push(name);
    if (name === disk.stop) throw new Error(`stopped before ${name}`);
  };
  const outcome = {
    committed: committedIn({ graph: async () => own.store }),
    follow: async (...news: [Parameters<typeof followAccepted>[1], ReadonlyMap<string, string>]) => {
      if (!disk.follows) throw new TroupeError('locked');
      await followAccepted((caller) => ({ ...context(), caller }), ...news);
    },
  };
  /** As another process has it. */
  const files = () =>
    new ClaudeRoleFolder(
      { project: own.project, personal: '/nowhere', holdsGraph: () => true },
      { processes: new ProcessTable(), clock: systemClock, step, outcome },
    );
  const context = (): Context => ({ ...own.context(), roleFiles: async () => files() });
  /** All that a change of roles may change. */
  const state = async () => {
    const { texts } = await files().read();
    const events: string[] = [];
    for await (const { op } of own.store.entries(1)) if (op.startsWith('role')) events.push(op);
    const decided = (await files().proposals()).records.map(({ value }) => (value as { state: string }).state);
    const agency = (await loadAgency(context())).all('role').map(({ description }) => description);
    return { texts: Object.fromEntries(texts), events, decided, agency: agency.sort() };
  };
  return { ...own, context, files, steps, disk, state };
}

type Disk = Awaited<ReturnType<typeof onDisk>>;

const CHANGES: Readonly<Record<string, (own: Disk) => Promise<() => Promise<unknown>>>> = {
  learn: async (own) => () => learn.run(own.context(), { name: 'qa', text: 'Ask for numbers.' }),
  retire: async (own) => () => retire.run(own.context(), { name: 'qa', lane: 'crew' }),
  graduate: async (own) => {
    const refusal = await rolesGraduate.run(own.context(), { id: 'c1' }).catch((error: TroupeError) => error.details);
    const { agree } = refusal as unknown as { agree: { seen: string } };
    return () => rolesGraduate.run(own.context(), { id: 'c1', ...agree });
  },
  propose: async (own) => () => rolesPropose.run(own.context(), WISH),
  accept: async (own) => {
    const { id } = await rolesPropose.run(own.context(), WISH);
    return () => rolesAccept.run(own.context(), { id, yes: true });
  },
  reject: async (own) => {
    const { id } = await rolesPropose.run(own.context(), WISH);
    return () => rolesReject.run(own.context(), { id });
  },
};

verifies(
  ['one.commit', 'roles.grad.atomic', 'roles.learn.append', 'roles.life.retired', 'roles.rule.identity'],
  'a change of roles that is cut off before any step stands as a whole or not at all, with its event and what follows',
  async () => {
    for (const [name, prepared] of Object.entries(CHANGES)) {
      const whole = await onDisk();
      const change = await prepared(whole);
      const before = await whole.state();
      whole.steps.length = 0;
      await change();
      const after = await whole.state();
      expect(after, name).not.toEqual(before);
      for (const stop of [...whole.steps]) {
        const own = await onDisk();
        const cut = await prepared(own);
        own.disk.stop = stop;
        const ended = await cut().then(
          () => 'done',
          (error: Error) => error.message,
        );
        delete own.disk.stop;
        const stands = stop === 'follow' || stop === 'settle';
        const found = { ended, ...(await own.state()) };
        const wanted = stands ? { ended: 'done', ...after } : { ended: `stopped before ${stop}`, ...before };
        expect(found, `${name}, ${stop}`).toEqual(wanted);
        expect(existsSync(path.join(own.project, '.workgraph/service/changes')), `${name}, ${stop}`).toBe(false);
        // Whoever comes next goes on as ever.
        if (!stands) await cut();
        expect({ ...(await own.state()) }, `${name}, ${stop}`).toEqual(after);
      }
    }
  },
);

verifies(
  ['one.commit', 'roles.agency.link'],
  'an acceptance stands where the agency cannot follow now; whoever changes roles next lets it follow',
  async () => {
    const own = await onDisk();
    const accept = await CHANGES['accept']?.(own);
    own.disk.follows = false;
    await accept?.();
    expect((await own.state()).agency).toEqual([]);
    await expect(learn.run(own.context(), { name: 'qa', text: 'Ask.' })).rejects.toMatchObject({ code: 'locked' });
    own.disk.follows = true;
    expect((await own.state()).agency).toEqual(['Checks with evidence.', 'Checks.'].sort());
    await learn.run(own.context(), { name: 'qa', text: 'Ask.' });
    expect(readdirSync(path.join(own.project, '.workgraph/service')).includes('changes')).toBe(false);
  },
);

verifies('roles.agency.link', 'what a hand made of an accepted role holds up no change after it', async () => {
  const own = await onDisk();
  const accept = await CHANGES['accept']?.(own);
  own.disk.follows = false;
  await accept?.();
  own.disk.follows = true;
  const file = path.join(own.project, '.claude/roles/qa.md');
  const body = `## Body\n\nDeliverable: ${'x'.repeat(TEAM_LIMITS.agencyTextBytes + 1)}\n\n## Learnings (core)`;
  writeFileSync(file, readFileSync(file, 'utf8').replace('## Learnings (core)', body));
  await learn.run(own.context(), { name: 'qa', text: 'Ask.' });
  expect(await own.state()).toMatchObject({ events: ['role_accept', 'roles_learn'], agency: [] });
});

verifies(
  ['roles.file.conflict', 'one.commit'],
  'a file that a hand changed between the look and its replacement is kept, and the change is made on what stands there now',
  async () => {
    const own = await onDisk();
    const file = path.join(own.project, '.claude/roles/qa.md');
    const hand = readFileSync(file, 'utf8').replace('Checks.', 'Checks by hand.');
    const late = own.steps.push.bind(own.steps);
    let edited = false;
    own.steps.push = (...names) => {
      if (names.includes('put .claude/roles/qa.md') && !edited) {
        edited = true;
        writeFileSync(file, hand);
      }
      return late(...names);
    };
    await learn.run(own.context(), { name: 'qa', text: 'Ask for numbers.' });
    expect(readFileSync(file, 'utf8')).toMatch(/Checks by hand\.[\s\S]*Ask for numbers\./);
    expect((await own.state()).events).toEqual(['roles_learn']);
  },
);
