import { mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { DatabaseChoiceFile } from '#adapters/trust/database-choice-file.js';
import { systemClock } from '#kernel/clock.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const choiceOf = (folder: string, projectFolder: string) =>
  new DatabaseChoiceFile({ folder, projectFolder, processes: new ProcessTable(), clock: systemClock });

verifies('fleet.address', 'a person chooses a database for one folder, kept privately outside of it', async () => {
  const folder = path.join(room('settings'), 'troupe');
  const outer = room('outer');
  const [one, two] = [path.join(outer, 'one'), room('two')];
  mkdirSync(one);
  expect(choiceOf(folder, one).read()).toBeUndefined();
  await choiceOf(folder, one).forget();
  await choiceOf(folder, one).choose({ project: 'shop', address: 'postgresql://ann:secret@db/troupe' });
  await choiceOf(folder, two).choose({ project: 'shop' });
  expect(choiceOf(folder, one).read()).toEqual({ project: 'shop', address: 'postgresql://ann:secret@db/troupe' });
  expect(choiceOf(folder, two).read(), 'of each folder its own').toEqual({ project: 'shop' });
  expect(statSync(path.join(folder, 'databases.json')).mode & 0o777).toBe(0o600);
  await choiceOf(folder, two).forget();
  expect([choiceOf(folder, one).read()?.project, choiceOf(folder, two).read()]).toEqual(['shop', undefined]);
  renameSync(one, path.join(outer, 'moved'));
  mkdirSync(one);
  expect(choiceOf(folder, one).read(), 'another folder was put there').toBeUndefined();
});

verifies('fleet.address', 'a choice that cannot be understood is none', async () => {
  const [folder, project] = [room('settings'), room('one')];
  const { dev, ino } = statSync(project, { bigint: true });
  const here = { device: String(dev), inode: String(ino) };
  for (const [row, expected] of [
    ['shop', undefined],
    [{ ...here }, undefined],
    [{ ...here, project: 7 }, undefined],
    [{ ...here, project: 'shop', address: 7 }, { project: 'shop' }],
  ] as const) {
    writeFileSync(path.join(folder, 'databases.json'), JSON.stringify({ projects: { [project]: row } }));
    expect(choiceOf(folder, project).read(), JSON.stringify(row)).toEqual(expected);
  }
});
