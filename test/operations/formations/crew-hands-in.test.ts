import { expect } from 'vitest';
import { verifies } from '../../verifies.js';
import { formationWorld } from './formation-world.js';

verifies(
  'gate.clients',
  'a seat of a crew hands in each of its files by name, and no client writes below .claude',
  async () => {
    const world = formationWorld();
    const { run } = (await world.call('formation.crew', { goal: 'Add CSV export', yes: true })) as { run: string };
    const id = `${run}-architect`;
    const folder = `.claude/dev-crew/runs/${run}`;
    const hands = (fields: object) => world.play(id, () => world.call('formation.hand-in', { id, ...fields }));
    const refused = async (fields: object) => await hands(fields).catch((error: Error & { hint?: string }) => error);
    expect(await refused({ content: '# Plan' })).toMatchObject({
      message: `${id} hands in 2 files.`,
      hint: 'Name it with `name`: PLAN.md, CONTRACT.md.',
    });
    for (const name of ['QA.md', '../../settings.json', `${folder}/../x.md`])
      expect(await refused({ name, content: 'x' }), name).toMatchObject({ code: 'bad_input' });
    expect(await refused({ name: 'PLAN.md', content: ' ' })).toMatchObject({ code: 'bad_input' });
    expect(world.text(`${folder}/PLAN.md`)).toBe('');
    await world.play(id, async () => {
      await world.call('formation.hand-in', { id, name: 'PLAN.md', content: '# Plan\n' });
      await world.call('formation.hand-in', { id, name: `${folder}/CONTRACT.md`, content: '# Contract\n' });
    });
    expect([world.text(`${folder}/PLAN.md`), world.text(`${folder}/CONTRACT.md`)]).toEqual([
      '# Plan\n',
      '# Contract\n',
    ]);
    expect((await world.task(id))?.artifacts).toEqual([`${folder}/PLAN.md`, `${folder}/CONTRACT.md`]);
  },
);
