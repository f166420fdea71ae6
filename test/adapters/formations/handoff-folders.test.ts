import { mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LocalHandoffFolders } from '#adapters/formations/handoff-folders.js';
import { sha256 } from '#kernel/hash.js';
import { room } from '../../room.js';

const RUN = '20261123-add-csv-export-1f0c';

function setUp() {
  const top = room();
  const folder = path.join(top, '.claude/dev-crew/runs', RUN);
  mkdirSync(folder, { recursive: true });
  const put = (name: string, text: string | Buffer) => writeFileSync(path.join(folder, name), text);
  return { top, folder, put, folders: new LocalHandoffFolders() };
}

test('what is plain text is read with its hash and its time, and of all else it is said why not', async () => {
  const { top, folder, put, folders } = setUp();
  put('PLAN.md', 'plan\n');
  utimesSync(path.join(folder, 'PLAN.md'), 5, 5);
  symlinkSync(path.join(folder, 'PLAN.md'), path.join(folder, 'CONTRACT.md'));
  mkdirSync(path.join(folder, 'CHANGES.md'));
  put('QA.md', '');
  truncateSync(path.join(folder, 'QA.md'), 1024 * 1024 + 1);
  put('DEPLOY.md', Buffer.from([0xff, 0xfe, 0x41, 0]));
  const runs = await folders.around(path.join(top, 'src/deeper'));
  expect(runs?.top).toBe(top);
  const names = ['PLAN.md', 'CONTRACT.md', 'CHANGES.md', 'QA.md', 'DEPLOY.md', 'SKEPTIC.md'];
  const files = await runs?.files(RUN, names);
  expect(files?.get('PLAN.md')).toEqual({ text: 'plan\n', sha256: sha256('plan\n'), modifiedMs: 5_000 });
  for (const name of names.slice(1, 5)) expect(files?.get(name)).toEqual({ problem: expect.any(String) });
  expect(files?.has('SKEPTIC.md')).toBe(false);
});

test('a run is under way until the log names it, and what is no run is none', async () => {
  const { top, folders } = setUp();
  const others = ['20261123-other-00ff', 'notes'].map((name) => path.join(top, '.claude/dev-crew/runs', name));
  for (const other of others) mkdirSync(other);
  writeFileSync(path.join(top, '.claude/dev-crew/runs', '20261123-file-00aa'), '');
  const runs = await folders.around(top);
  expect(await runs?.active()).toEqual([RUN, '20261123-other-00ff']);
  writeFileSync(
    path.join(top, '.claude/dev-crew/log.md'),
    `# Log\n\n## ${RUN}  2026-11-23  sample\n\n- outcome: shipped\n`,
  );
  expect(await runs?.active()).toEqual(['20261123-other-00ff']);
});

test('a session is remembered by its run, once', async () => {
  const { top, folders } = setUp();
  const runs = await folders.around(top);
  await runs?.keepSession('one', RUN);
  await runs?.keepSession('one', RUN);
  expect(await runs?.runOf('one', [RUN])).toBe(RUN);
  expect(await runs?.runOf('on', [RUN])).toBeUndefined();
});

test('a link on the way is refused, wherever it leads; without runs there is nothing', async () => {
  const { top, folders } = setUp();
  const other = room('other');
  expect(await folders.around(other)).toBeUndefined();
  symlinkSync(path.join(top, '.claude'), path.join(other, '.claude'));
  await expect(folders.around(other)).rejects.toMatchObject({ code: 'unsafe_path' });
});
