import { expect } from 'vitest';
import { coreFile, laneFile, REGISTRY_FILE } from '#core/roles/role-paths.js';
import { index } from '#operations/roles/index-file.js';
import { learn } from '#operations/roles/learn.js';
import { check, list, show } from '#operations/roles/look.js';
import { retire, revive } from '#operations/roles/row-moves.js';
import { OPERATIONS } from '#operations/table.js';
import { world } from '../../e2e/world.js';
import { RolesInMemory } from '../../roles-in-memory.js';
import { verifies } from '../../verifies.js';

const CREW = laneFile('crew');
const CORE = '# skeptic\n\n## Charter\n\nDoubts.\n\n## Learnings (core)\n\n- 2026-01-01 — one\n';

function stage(texts: Readonly<Record<string, string>> = {}) {
  const roles = new RolesInMemory(Object.entries(texts));
  const { context } = world();
  const told = async () => {
    const entries = [];
    for await (const { op, detail } of (await context.graph()).entries(1)) entries.push({ op, detail });
    return entries;
  };
  return {
    roles,
    told,
    context: {
      ...context,
      roleFiles: async () => roles,
    },
  };
}
const lesson = 'Ask for numbers.';

verifies('roles.life.retired', 'a retired row is kept; taken back it is on probation with no counts', async () => {
  const text = '### qa\n- status: stable\n- runs: clean 4, thin 1, cuts 2\n- learnings:\n  - kept\n';
  const { roles, told, context } = stage({ [CREW]: text });
  expect(await retire.run(context, { name: 'qa', lane: 'crew' })).toMatchObject({ status: 'retired', changed: true });
  expect(await retire.run(context, { name: 'qa', lane: 'crew' })).toMatchObject({ changed: false });
  expect(roles.texts.get(CREW)).toBe(text.replace('stable', 'retired'));
  expect(await revive.run(context, { name: 'qa', lane: 'crew' })).toMatchObject({
    status: 'probationary',
    changed: true,
  });
  expect(roles.texts.get(CREW)).toBe(
    text.replace('stable', 'probationary').replace('clean 4, thin 1, cuts 2', 'clean 0, thin 0, cuts 0'),
  );
  expect(await revive.run(context, { name: 'qa', lane: 'crew' })).toMatchObject({ changed: false });
  await expect(revive.run(context, { name: 'dev', lane: 'crew' })).rejects.toMatchObject({ code: 'role_not_found' });
  expect((await told()).map(({ op }) => op)).toEqual(['roles_retire', 'roles_revive']);
});

verifies(
  ['roles.learn.append', 'roles.rule.core-by-graduation'],
  'a lesson goes to the solo section of a core role, once, and never to its core lessons',
  async () => {
    const { roles, told, context } = stage({ [coreFile('skeptic')]: CORE });
    expect(await learn.run(context, { name: 'skeptic', text: `${lesson} token=abcdefghijkl` })).toMatchObject({
      added: true,
    });
    expect(await learn.run(context, { name: 'skeptic', text: `${lesson.toUpperCase()} token=********` })).toMatchObject(
      { added: false },
    );
    const text = roles.texts.get(coreFile('skeptic')) ?? '';
    expect(text.startsWith(CORE)).toBe(true);
    expect(text).toMatch(/## Learnings \(solo\)\n\n- \d{4}-\d\d-\d\d — Ask for numbers\. token=\*{8}\n$/);
    expect((await told()).map(({ op }) => op)).toEqual(['roles_learn']);
    await expect(learn.run(context, { name: 'debugger', text: 'Bisect first.' })).rejects.toMatchObject({
      code: 'role_not_found',
      hint: expect.stringContaining('`troupe roles as debugger '),
    });
    for (const [name, words, code] of [
      ['sceptic', 'x', 'role_not_found'],
      ['crew', 'x', 'bad_role_name'],
      ['skeptic', ' \n', 'bad_input'],
      ['skeptic', 'x'.repeat(301), 'bad_input'],
    ] as const)
      await expect(learn.run(context, { name, text: words }), words).rejects.toMatchObject({ code });
    expect(roles.texts.get(coreFile('skeptic'))).toBe(text);
  },
);

verifies('roles.index', 'the table is written where it differs, and not at all where there is no role', async () => {
  const empty = stage();
  expect(await index.run(empty.context, {})).toMatchObject({ roles: 0, changed: false });
  expect(empty.roles.texts.size).toBe(0);
  const { roles, context } = stage({ [coreFile('skeptic')]: CORE });
  expect(await index.run(context, {})).toMatchObject({ roles: 1, changed: true });
  expect(roles.texts.get(REGISTRY_FILE)).toContain('| skeptic | Doubts. |');
  expect(await index.run(context, {})).toMatchObject({ changed: false });
});

verifies(
  ['roles.file.bad-row', 'roles.file.local'],
  'a look names every bad place, seats no bad row, and shows a role with its rows',
  async () => {
    const { context } = stage({
      [CREW]: '### qa\n- role: gone\n- status: stable\n### dev\n- owns: x\n',
      [coreFile('skeptic')]: CORE,
    });
    expect(await list.run(context, { lane: 'crew' })).toMatchObject({
      cores: [],
      rows: [{ name: 'qa', role: 'gone' }],
      errors: 1,
    });
    const { ok, problems } = await check.run(context, {});
    expect([ok, problems.map(({ line, severity }) => [line, severity])]).toEqual([
      false,
      [
        [2, 'warning'],
        [4, 'error'],
      ],
    ]);
    expect(await show.run(context, { name: 'qa' })).toMatchObject({ core: null, rows: [{ line: 1 }] });
    await expect(show.run(context, { name: 'skeptics' })).rejects.toMatchObject({
      code: 'role_not_found',
      message: expect.stringContaining('skeptic?'),
    });
  },
);

verifies('roles.writer.one', 'what writes a role file is for people, and no run may call it', () => {
  const writing = OPERATIONS.filter(({ name, kind }) => name.startsWith('roles.') && kind === 'write');
  expect(writing.length).toBeGreaterThan(3);
  // These refuse a run by themselves (`user_only`), or file what a person has to accept.
  const open = ['roles.graduate', 'roles.propose', 'roles.accept', 'roles.reject'];
  expect(writing.filter(({ forRuns }) => forRuns !== undefined).map(({ name }) => name)).toEqual(open);
});
