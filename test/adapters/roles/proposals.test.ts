import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { ClaudeRoleFolder } from '#adapters/roles/role-folder.js';
import { IDENTITY_WRITER, STARTER_WRITER } from '#core/roles/writers.js';
import { systemClock } from '#kernel/clock.js';
import type { RoleOutcome } from '#ports/role-files.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const FOLDER = '.workgraph/roles/proposals';

function place(outcome: Partial<RoleOutcome> = {}) {
  const project = room();
  const parts = {
    ...{ processes: new ProcessTable(), clock: systemClock, step: () => undefined },
    outcome: { committed: async () => false, follow: async () => undefined, ...outcome },
  };
  const files = new ClaudeRoleFolder({ project, personal: '/nowhere', holdsGraph: () => true }, parts);
  const keep = (id: string, text: string) =>
    files.change(IDENTITY_WRITER, (_, write) =>
      write({ texts: new Map(), proposals: new Map([[id, text]]) }, undefined, async () => true),
    );
  return { project, files, keep };
}

test('looking makes no folder; what somebody put there is no proposal of ours', async () => {
  const { project, files } = place();
  expect([await files.proposals(), existsSync(path.join(project, '.workgraph'))]).toEqual([
    { records: [], warnings: [] },
    false,
  ]);
  const folder = path.join(project, FOLDER);
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of [
    ['a.yaml', '{{'],
    ['../b.yaml', 'x: 1'],
    ['c.txt', 'x: 1'],
    ['e.text', 'x: 1'],
    ['E.yaml', 'x: 1'],
    ['d.yaml', '&a [*a]'],
  ] as const)
    writeFileSync(path.join(folder, name), text);
  mkdirSync(path.join(folder, 'f.yaml'));
  const { records, warnings } = await files.proposals();
  expect(records).toEqual([]);
  expect(warnings.map((warning) => warning.split(':')[0])).toEqual([
    ...['proposals/a.yaml', 'proposals/d.yaml', 'proposals/f.yaml'],
  ]);
});

test('proposals come in the order of their names, and one may be replaced', async () => {
  const { project, files, keep } = place();
  for (const id of ['b', 'a', 'c-1']) await keep(id, `id: ${id}\n`);
  await keep('b', 'id: again\n');
  expect(await files.proposals()).toEqual({
    records: [
      { id: 'a', value: { id: 'a' } },
      { id: 'b', value: { id: 'again' } },
      { id: 'c-1', value: { id: 'c-1' } },
    ],
    warnings: [],
  });
  for (const id of ['', 'A', '1', 'a_b', '../a', `a${'b'.repeat(121)}`])
    await expect(keep(id, ''), id).rejects.toMatchObject({ code: 'unsafe_path' });
  const file = path.join(project, FOLDER, 'a.yaml');
  expect(statSync(file).mode & 0o777, 'for this person alone').toBe(0o600);
  writeFileSync(file, `"${'x'.repeat(300)}": 1\n"${'x'.repeat(300)}": 2\n`);
  const [warning = ''] = (await files.proposals()).warnings;
  expect(warning).toMatch(/^proposals\/a\.yaml: the key x+…$/);
  expect(warning).toHaveLength('proposals/a.yaml: '.length + 200);
});

verifies('sec.inert', 'no proposal is read or written through a link', async () => {
  const { project, files, keep } = place();
  const elsewhere = room();
  mkdirSync(path.join(project, '.workgraph/roles'), { recursive: true });
  symlinkSync(elsewhere, path.join(project, FOLDER));
  const unsafe = expect.objectContaining({ code: 'unsafe_path' });
  await expect(files.proposals()).rejects.toEqual(unsafe);
  await expect(keep('a', 'x: 1\n')).rejects.toEqual(unsafe);
  expect(existsSync(path.join(elsewhere, 'a.yaml'))).toBe(false);
});

verifies(
  'one.commit',
  'what follows is told of proposals that were written, with the roles as they are then',
  async () => {
    const followed: unknown[] = [];
    const { files, keep } = place({
      follow: async (written, texts) => {
        followed.push([written, Object.fromEntries(texts)]);
      },
    });
    const both = {
      texts: new Map([['.claude/roles/qa.md', '# qa\n']]),
      proposals: new Map([['qa-charter-1', 'state: accepted\n']]),
    };
    await files.change(STARTER_WRITER, (_, write) => write(both, undefined, async () => true));
    await files.change(STARTER_WRITER, (_, write) => {
      const texts = new Map([['.claude/roles/dev.md', '# dev\n']]);
      return write({ texts, proposals: new Map() }, undefined, async () => true);
    });
    const record = { id: 'qa-charter-1', value: { state: 'accepted' } };
    expect(followed).toEqual([[[record], { '.claude/roles/qa.md': '# qa\n' }]]);
    await keep('qa-charter-2', 'state: open\n');
    expect(followed).toHaveLength(2);
    await keep('qa-charter-3', '{{');
    expect(followed, 'of what nobody can read nothing follows').toHaveLength(2);
  },
);

verifies('one.commit', 'a look while a change is half-way waits for it to be settled', async () => {
  const { project, files } = place();
  const texts = new Map([['.claude/roles/qa.md', '# qa\n']]);
  const looks: Promise<unknown>[] = [];
  await files.change(STARTER_WRITER, (_, write) =>
    write({ texts, proposals: new Map() }, 0, async () => {
      looks.push(files.read());
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
      return false;
    }),
  );
  expect(await Promise.all(looks)).toEqual([{ texts: new Map(), problems: [] }]);
  expect(existsSync(path.join(project, '.claude'))).toBe(false);
});
