import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lineageFromProc, lineageFromPs } from '#adapters/processes/lineage.js';
import { ProcessPeers } from '#adapters/processes/process-peers.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import type { ProcessLineage } from '#ports/processes.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** A `/proc` as far as it is looked at. */
function proc(rows: readonly { pid: number; parent: number; session?: number; name?: string; environment?: string }[]) {
  const folder = room('proc');
  for (const { pid, parent, session = 5, name = 'sh', environment } of rows) {
    mkdirSync(path.join(folder, String(pid)));
    const between = '0 '.repeat(15);
    const stat = `${pid} (${name}) S ${parent} ${pid} ${session} ${between}${pid * 100} 0\n`;
    writeFileSync(path.join(folder, String(pid), 'stat'), stat);
    if (environment !== undefined) writeFileSync(path.join(folder, String(pid), 'environ'), environment);
  }
  return folder;
}

test('a process sees those above it up to the first, with what their names may hold', () => {
  const folder = proc([
    { pid: 30, parent: 20 },
    { pid: 20, parent: 10, name: 'a) b (c', environment: 'A=1\0B=2\0' },
    { pid: 10, parent: 1, name: 'systemd' },
    { pid: 1, parent: 0, name: 'whatever' },
    { pid: 5, parent: 1, environment: 'LEADS=1' },
  ]);
  expect(lineageFromProc(folder, 30)).toEqual({
    line: [
      { pid: 30, start: '3000', init: false },
      { pid: 20, start: '2000', init: false, environment: ['A=1', 'B=2', ''] },
      { pid: 10, start: '1000', init: true },
      { pid: 1, start: '100', init: true },
    ],
    leader: { pid: 5, start: '500', init: false, environment: ['LEADS=1'] },
    group: 30,
    session: 5,
    fromOutside: false,
  });
  expect(lineageFromProc(proc([{ pid: 30, parent: 0, session: 30 }]), 30)).toMatchObject({ fromOutside: true });
  expect(lineageFromProc(folder, 31)).toBeUndefined();
});

test('a line ends where nobody is seen, is bounded, and names whoever leads its session once', () => {
  const pids = ({ line, leader }: ProcessLineage) => [line.map(({ pid }) => pid), leader?.pid];
  const seen = (rows: Parameters<typeof proc>[0]) => lineageFromProc(proc(rows), 30);
  const gone = seen([{ pid: 30, parent: 20 }]);
  expect(gone && pids(gone)).toEqual([[30], undefined]);
  const led = seen([
    { pid: 30, parent: 20, session: 20 },
    { pid: 20, parent: 10, session: 20 },
    { pid: 10, parent: 0, session: 10 },
  ]);
  expect(led && pids(led)).toEqual([[30, 20, 10], undefined]);
  const many = Array.from({ length: 70 }, (_, at) => ({ pid: 30 + at, parent: 31 + at }));
  expect(seen(many)?.line.map(({ pid }) => pid)).toEqual(many.slice(0, 64).map(({ pid }) => pid));
  const listed = many.map(({ pid, parent }) => `${pid} ${parent} 30 Sat Mar  1 10:00:00 2026 sh`).join('\n');
  expect(lineageFromPs(listed, 30)?.line.map(({ pid }) => pid)).toEqual(many.slice(0, 64).map(({ pid }) => pid));
  const broken = proc([{ pid: 30, parent: 20 }]);
  writeFileSync(path.join(broken, '30/stat'), '30 sh S 20');
  expect(lineageFromProc(broken, 30)).toBeUndefined();
});

test('where there is no /proc, ps tells as much as it knows', () => {
  const text = [
    '    0     0     0 Sat Mar  1 09:00:00 2026     kernel_task',
    '    1     0     1 Sat Mar  1 09:00:00 2026     /sbin/launchd',
    '  510     1   510 Sat Mar  1 10:00:00 2026     /Applications/A b.app/Terminal',
    '  600   510   600 Sat Mar  1 10:05:01 2026     -zsh',
    '  700   600   700 Sat Mar 11 10:06:00 2026     node',
  ].join('\n');
  expect(lineageFromPs(text, 700)).toEqual({
    line: [
      { pid: 700, start: 'Sat Mar 11 10:06:00 2026', init: false },
      { pid: 600, start: 'Sat Mar 1 10:05:01 2026', init: false },
      { pid: 510, start: 'Sat Mar 1 10:00:00 2026', init: false },
      { pid: 1, start: 'Sat Mar 1 09:00:00 2026', init: true },
    ],
    group: 700,
    session: 0,
    fromOutside: false,
  });
  expect(lineageFromPs('', 700)).toBeUndefined();
});

verifies(['ui.lock', 'sec.caller'], 'this process comes from the one that started it, in whichever time zone', () => {
  vi.stubEnv('TZ', 'America/New_York');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  for (const proc of ['/proc', '']) {
    const [self, parent] = new ProcessPeers(proc).lineageOf(process.pid)?.line ?? [];
    expect([self?.pid, parent?.pid]).toEqual([process.pid, process.ppid]);
    expect(self?.start).toBe(new ProcessTable(proc).startOf(process.pid));
    expect(parent?.start).toBe(new ProcessTable(proc).startOf(process.ppid));
  }
  vi.stubEnv('PATH', '/nowhere');
  expect(new ProcessPeers('').lineageOf(process.pid)).toBeUndefined();
});
