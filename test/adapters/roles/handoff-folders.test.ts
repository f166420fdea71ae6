import { mkdirSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LocalHandoffFolders } from '#adapters/roles/handoff-folders.js';
import { GATE_RECORDS, gateRecordFile } from '#core/playbooks/gate-record.js';
import { sha256 } from '#kernel/hash.js';
import { HANDOFF_LIMITS } from '#kernel/limits/handoffs.js';
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

test('whoever works in a worktree belongs to the project around it: its records and roles are read', async () => {
  const { top, folders } = setUp();
  const tree = path.join(top, '.workgraph/worktrees/one');
  const recorded = '20261123-recorded-1f0c';
  mkdirSync(path.join(tree, '.claude/dev-crew/runs'), { recursive: true });
  const before = await folders.around(tree);
  expect([await before?.active(), await before?.roles(), await before?.crewRoles()]).toEqual([
    ...[[], new Map(), undefined],
  ]);
  const files = {
    [gateRecordFile(recorded)]: JSON.stringify({ state: 'running', judged: {}, seats: [{ name: 'a', phase: 'b' }] }),
    [`${GATE_RECORDS}/20261123-other-00ff.text`]: '',
    '.claude/roles/one.md': 'one',
    '.claude/roles/two.txt': 'two',
  };
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(top, name)), { recursive: true });
    writeFileSync(path.join(top, name), text);
  }
  const runs = await folders.around(tree);
  expect(runs?.top).toBe(tree);
  expect(await runs?.active()).toEqual([recorded]);
  expect(await runs?.roles()).toEqual(new Map([['.claude/roles/one.md', 'one']]));
  await runs?.keepSession('one', recorded);
  expect(await runs?.runOf('one', [recorded]), 'without a folder there is nothing to keep it in').toBeUndefined();
  expect(await runs?.files(recorded, ['PLAN.md'])).toEqual(new Map());
});

test('what is present is a file of the project, through no link; of sessions the latest are known', async () => {
  const { top, folder, put, folders } = setUp();
  put('PLAN.md', 'plan');
  symlinkSync('PLAN.md', path.join(folder, 'LINK.md'));
  symlinkSync(folder, path.join(top, 'away'));
  const inside = path.relative(top, folder);
  const runs = await folders.around(top);
  const names = [`${inside}/PLAN.md`, inside, `${inside}/LINK.md`, 'away/PLAN.md', `${inside}/PLAN.md/x`, 'gone'];
  expect(await runs?.present(names)).toEqual([names[0]]);
  const sessions = Array.from({ length: HANDOFF_LIMITS.sessions + 1 }, (_, number) => `s-${number}`);
  for (const session of sessions) await runs?.keepSession(session, RUN);
  const known = await Promise.all(sessions.map(async (session) => (await runs?.runOf(session, [RUN])) === RUN));
  expect(known).toEqual([false, ...sessions.slice(1).map(() => true)]);
  put('PLAN.md', 'x'.repeat(HANDOFF_LIMITS.fileBytes + 1));
  expect(await runs?.files(RUN, ['PLAN.md'])).toEqual(
    new Map([
      ['PLAN.md', { problem: `has ${HANDOFF_LIMITS.fileBytes + 1} bytes; ${HANDOFF_LIMITS.fileBytes} are read` }],
    ]),
  );
});

test('a link on the way is refused, wherever it leads; without runs there is nothing', async () => {
  const { top, folders } = setUp();
  const other = room('other');
  expect(await folders.around(other)).toBeUndefined();
  symlinkSync(path.join(top, '.claude'), path.join(other, '.claude'));
  await expect(folders.around(other)).rejects.toMatchObject({ code: 'unsafe_path' });
});

test('runs under way are named in their order, and of recorded ones the newest count', async () => {
  const { top, folders } = setUp();
  const record = (run: string) => {
    const file = path.join(top, gateRecordFile(run));
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ state: 'running', judged: {}, seats: [] }));
  };
  const later = '20261124-later-1f0c';
  record(later);
  expect(await (await folders.around(top))?.active()).toEqual([RUN, later]);
  for (let number = 0; number < HANDOFF_LIMITS.records; number++)
    record(`20261125-more-${number.toString(16).padStart(4, '0')}`);
  const active = await (await folders.around(top))?.active();
  expect([active?.length, active?.[0], active?.includes(later)]).toEqual([HANDOFF_LIMITS.records + 1, RUN, false]);
});
