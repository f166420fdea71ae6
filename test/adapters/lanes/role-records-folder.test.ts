import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { RoleRecordsFolder } from '#adapters/lanes/role-records-folder.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { LANES } from '#core/lanes/lane.js';
import { systemClock } from '#kernel/clock.js';
import { LIMITS } from '#kernel/limits.js';
import { roleRecordsContract } from '../../contract/role-records.js';
import { room } from '../../room.js';

const at = (top: string) => new RoleRecordsFolder({ top, processes: new ProcessTable(), clock: systemClock });

roleRecordsContract('folder', () => at(path.join(room(), 'roles')));

test('looking makes no folder; what somebody put there is no proposal of ours', async () => {
  const top = path.join(room(), 'roles');
  expect([await at(top).underWay(), (await at(top).proposals()).records, existsSync(top)]).toEqual([false, [], false]);
  mkdirSync(path.join(top, 'proposals'), { recursive: true });
  writeFileSync(path.join(top, 'under-way.json'), '{"kind":"graduation","change":7}');
  for (const [name, text] of [
    ['a.yaml', '{{'],
    ['../b.yaml', 'x: 1'],
    ['c.txt', 'x: 1'],
    ['e.text', 'x: 1'],
    ['E.yaml', 'x: 1'],
    ['d.yaml', '&a [*a]'],
  ] as const)
    writeFileSync(path.join(top, 'proposals', name), text);
  mkdirSync(path.join(top, 'proposals/f.yaml'));
  const { records, warnings } = await at(top).proposals();
  expect(records).toEqual([]);
  expect(warnings.map((warning) => warning.split(':')[0])).toEqual([
    ...['proposals/a.yaml', 'proposals/d.yaml', 'proposals/f.yaml'],
  ]);
  expect(await at(top).change(async (underWay) => underWay)).toBeUndefined();
});

test('what is under way is what we set down, whole, or nothing', async () => {
  const top = path.join(room(), 'roles');
  mkdirSync(top);
  const read = async (value: unknown) => {
    writeFileSync(path.join(top, 'under-way.json'), JSON.stringify(value));
    return await at(top).change(async (underWay) => underWay);
  };
  const edit = { kind: 'edit', change: 'c', by: 'ann', date: 'd', detail: { a: 1 } };
  const learned = { what: 'learn', role: 'developer', lesson: 'l' };
  const moved = { role: 'developer', lane: LANES[0] };
  const edits: Readonly<Record<string, unknown>>[] = [
    learned,
    { what: 'retire', ...moved },
    { what: 'revive', ...moved },
  ];
  const changes: Readonly<Record<string, unknown>>[] = [
    { kind: 'graduation', change: 'c', from: 1 },
    { kind: 'acceptance', proposal: 'p', by: 'ann' },
    ...edits.map((one) => ({ ...edit, edit: one })),
  ];
  for (const change of changes) {
    expect(await read(change)).toEqual(change);
    for (const key of Object.keys(change)) expect(await read({ ...change, [key]: [] }), key).toBeUndefined();
  }
  for (const one of edits)
    for (const key of Object.keys(one))
      expect(await read({ ...edit, edit: { ...one, [key]: [] } }), JSON.stringify([one, key])).toBeUndefined();
  expect(await read({ ...edit, edit: { ...learned, role: 'No Role!' } })).toBeUndefined();
  expect(await read({ ...edit, edit: { ...learned, run: 'r' } })).toEqual({ ...edit, edit: { ...learned, run: 'r' } });
  expect(await read({ ...edit, edit: { ...learned, run: 7 } })).toEqual({ ...edit, edit: learned });
});

test('of two that change at once one waits for the other, and not for ever', async () => {
  const top = path.join(room(), 'roles');
  let over = false;
  const [first, second] = [at(top), at(top)];
  const after: Promise<boolean>[] = [];
  await first.change(async () => {
    after.push(second.change(async () => over));
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    over = true;
  });
  expect(await Promise.all(after)).toEqual([true]);
  let now = 0;
  const clock = { now: () => (now += LIMITS.lockWaitMs / 2) };
  const hasty = new RoleRecordsFolder({ top, processes: new ProcessTable(), clock });
  await first.change(async () => {
    await expect(hasty.change(async () => undefined)).rejects.toMatchObject({ code: 'locked' });
  });
});

test('nothing is read or written through a link, and no id leads elsewhere', async () => {
  const [top, elsewhere] = [path.join(room(), 'roles'), room()];
  mkdirSync(top);
  symlinkSync(elsewhere, path.join(top, 'proposals'));
  const unsafe = expect.objectContaining({ code: 'unsafe_path' });
  await expect(at(top).proposals()).rejects.toEqual(unsafe);
  await expect(at(top).keepProposal('a', 'x: 1\n')).rejects.toEqual(unsafe);
  writeFileSync(path.join(elsewhere, 'under-way.json'), '{}');
  await expect(at(path.join(top, 'proposals')).underWay()).rejects.toEqual(unsafe);
  await expect(at(path.join(room(), 'roles')).keepProposal('../a', 'x: 1\n')).rejects.toEqual(unsafe);
});

test('proposals come in the order of their names, and one may be replaced', async () => {
  const top = path.join(room(), 'roles');
  const records = at(top);
  for (const id of ['b', 'a', 'c-1']) await records.keepProposal(id, `id: ${id}\n`);
  await records.keepProposal('b', 'id: again\n');
  const known = (ids: readonly string[]) => ids.map((id) => ({ id, value: { id } }));
  expect(await records.proposals()).toEqual({
    records: [...known(['a']), { id: 'b', value: { id: 'again' } }, ...known(['c-1'])],
    warnings: [],
  });
  for (const id of ['', 'A', '1', 'a_b', `a${'b'.repeat(121)}`])
    await expect(records.keepProposal(id, ''), id).rejects.toMatchObject({ code: 'unsafe_path' });
  const folder = path.join(top, 'proposals');
  writeFileSync(path.join(folder, 'a.yaml'), `"${'x'.repeat(300)}": 1\n"${'x'.repeat(300)}": 2\n`);
  const [warning = ''] = (await records.proposals()).warnings;
  expect(warning).toMatch(/^proposals\/a\.yaml: the key x+…$/);
  expect(warning).toHaveLength('proposals/a.yaml: '.length + 200);
});

test('what is set down is under way until it is taken back', async () => {
  const top = path.join(room(), 'roles');
  const change = { kind: 'acceptance', proposal: 'p', by: 'ann' } as const;
  await at(top).change(async (_, setDown) => await setDown(change));
  expect(await at(top).underWay()).toBe(true);
  const seen = await at(top).change(async (underWay, setDown) => {
    await setDown(undefined);
    await setDown(undefined);
    return underWay;
  });
  expect([seen, await at(top).underWay()]).toEqual([change, false]);
  await expect(at(top).change(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await at(top).change(async () => 'free')).toBe('free');
});
