import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { ExecutorTrustFile } from '#adapters/trust/executor-trust-file.js';
import { systemClock } from '#kernel/clock.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const TRUSTED = { sha256: 'a'.repeat(64), at: '2026-03-01T10:00:00.000Z' };

function trustOf(folder: string, projectFolder: string): ExecutorTrustFile {
  return new ExecutorTrustFile({ folder, projectFolder, processes: new ProcessTable(), clock: systemClock });
}

verifies(
  'exec.custom',
  'trust is given by a person to one content, outside of the project, and taken back',
  async () => {
    const folder = path.join(room('settings'), 'troupe');
    const [one, two] = [room('one'), room('two')];
    expect(await trustOf(folder, one).all()).toEqual(new Map());
    expect(await trustOf(folder, one).withdraw('mine')).toBe(false);
    await trustOf(folder, one).give('mine', TRUSTED);
    await trustOf(folder, one).give('other', TRUSTED);
    expect(await trustOf(folder, one).all()).toEqual(
      new Map([
        ['mine', TRUSTED],
        ['other', TRUSTED],
      ]),
    );
    expect(await trustOf(folder, two).all()).toEqual(new Map());
    expect(statSync(path.join(folder, 'trusted-executors.json')).mode & 0o777).toBe(0o600);
    expect(readdirSync(one)).toEqual([]);
    await trustOf(folder, one).give('mine', { ...TRUSTED, sha256: 'b'.repeat(64) });
    expect((await trustOf(folder, one).all()).get('mine')?.sha256).toBe('b'.repeat(64));
    expect(await trustOf(folder, one).withdraw('mine')).toBe(true);
    expect([...(await trustOf(folder, one).all()).keys()]).toEqual(['other']);
    await trustOf(folder, two).give('theirs', TRUSTED);
    await trustOf(folder, two).give('more', TRUSTED);
    await trustOf(folder, two).withdraw('more');
    expect([...(await trustOf(folder, one).all()).keys()], 'of each project its own').toEqual(['other']);
    expect([...(await trustOf(folder, two).all()).keys()]).toEqual(['theirs']);
  },
);

test('a record that cannot be understood trusts nothing; projects that are gone are forgotten', async () => {
  const folder = room('settings');
  const file = path.join(folder, 'trusted-executors.json');
  const [project, gone] = [room('one'), path.join(room('outer'), 'gone')];
  for (const text of ['', '[]', '{"projects":[]}', `{"projects":{${JSON.stringify(project)}:{"mine":{"sha256":1}}}}`]) {
    writeFileSync(file, text);
    expect(await trustOf(folder, project).all(), text).toEqual(new Map());
  }
  const kept = { good: TRUSTED, list: [], no_hash: { at: 't' }, no_time: { sha256: 'a' } };
  writeFileSync(file, JSON.stringify({ projects: { [project]: kept } }));
  expect(await trustOf(folder, project).all()).toEqual(new Map([['good', TRUSTED]]));
  writeFileSync(file, '');
  mkdirSync(gone);
  await trustOf(folder, gone).give('mine', TRUSTED);
  rmSync(gone, { recursive: true });
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => trustOf(folder, project).give(name, TRUSTED)));
  expect([...(await trustOf(folder, project).all()).keys()].sort()).toEqual(['a', 'b', 'c', 'd']);
  mkdirSync(gone);
  expect(await trustOf(folder, gone).all()).toEqual(new Map());
});
