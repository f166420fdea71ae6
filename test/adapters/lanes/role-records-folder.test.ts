import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { RoleRecordsFolder } from '#adapters/lanes/role-records-folder.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { systemClock } from '#kernel/clock.js';
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
    ['d.yaml', '&a [*a]'],
  ] as const)
    writeFileSync(path.join(top, 'proposals', name), text);
  const { records, warnings } = await at(top).proposals();
  expect([records, warnings.length]).toEqual([[], 2]);
  expect(await at(top).change(async (underWay) => underWay)).toBeUndefined();
});

test('nothing is read or written through a link, and no id leads elsewhere', async () => {
  const [top, elsewhere] = [path.join(room(), 'roles'), room()];
  mkdirSync(top);
  symlinkSync(elsewhere, path.join(top, 'proposals'));
  const unsafe = expect.objectContaining({ code: 'unsafe_path' });
  await expect(at(top).proposals()).rejects.toEqual(unsafe);
  await expect(at(top).keepProposal('a', 'x: 1\n')).rejects.toEqual(unsafe);
  await expect(at(path.join(room(), 'roles')).keepProposal('../a', 'x: 1\n')).rejects.toEqual(unsafe);
});
