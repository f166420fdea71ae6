import { mkdirSync, readdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ProcessPeers } from '#adapters/processes/process-peers.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { room } from '../../room.js';

interface Shown {
  readonly name?: string;
  readonly state?: string;
  readonly parent?: number;
  readonly group?: number;
  readonly session?: number;
  readonly start?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly open?: readonly string[];
}

/** A `/proc` as Linux shows it, of these processes beside this one. */
function procOf(processes: Readonly<Record<number, Shown>>) {
  const proc = room('proc');
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(path.join(proc, file)), { recursive: true });
    writeFileSync(path.join(proc, file), text);
  };
  const show = (
    pid: number,
    { name = 'sh', state = 'S', parent = 1, group = pid, session = group, ...more }: Shown,
  ) => {
    const start = more.start ?? `${pid}000`;
    const between = Array.from({ length: 15 }, (_, index) => `f${index}`);
    write(`${pid}/stat`, `${pid} (${name}) ${[state, parent, group, session, ...between, start, 'end'].join(' ')}\n`);
    for (const [file, text] of Object.entries(more.files ?? {})) write(`${pid}/${file}`, text);
    for (const [descriptor, file] of (more.open ?? []).entries()) {
      mkdirSync(path.join(proc, `${pid}/fd`), { recursive: true });
      symlinkSync(file, path.join(proc, `${pid}/fd/${descriptor}`));
    }
  };
  show(process.pid, { start: 'own' });
  write('sys/kernel/random/boot_id', 'boot-1\n');
  mkdirSync(path.join(proc, 'self/ns'), { recursive: true });
  symlinkSync('pid:[1]', path.join(proc, 'self/ns/pid'));
  for (const [pid, shown] of Object.entries(processes)) show(Number(pid), shown);
  return { proc, write, table: new ProcessTable(proc), peers: new ProcessPeers(proc) };
}

test('a process is known by its start; one that is over, and what is no pid, is none', () => {
  const { table } = procOf({
    ...{ 1: {}, 10: { name: 'a) S 1 (b' }, 11: { state: 'Z', files: { cmdline: 'over\0' } }, 12: { state: 'X' } },
    ...{ 13: { state: 'T', files: { cmdline: 'node\0a b\0' } }, 14: { state: 't', files: { cmdline: '' } } },
  });
  expect([10, 11, 12, 13, 99, 0, -10, 1.5, Number.NaN].map((pid) => table.startOf(pid))).toEqual([
    ...['10000', undefined, undefined, '13000', undefined, undefined, undefined, undefined, undefined],
  ]);
  expect(table.startOf(1)).toBe('1000');
  expect([10, 13, 14, 99].map((pid) => table.isStopped(pid))).toEqual([false, true, true, false]);
  expect([10, 11, 13, 14].map((pid) => table.commandOf(pid))).toEqual([undefined, undefined, 'node a b ', '']);
  expect(table.self()).toEqual({
    ...{ pid: process.pid, start: 'own', host: hostname(), boot: 'boot-1', namespace: 'pid:[1]' },
  });
  expect(table.self()).toBe(table.self());
});

test('who held something is alive, dead or unknown by the life of the machine, the namespace, the pid and its start', () => {
  const { proc, table } = procOf({ 10: {} });
  const of = (more: object, one = table) => one.state({ ...one.self(), pid: 10, start: '10000', ...more });
  expect([
    of({}),
    of({ start: 'other' }),
    of({ pid: 99 }),
    of({ host: 'elsewhere' }),
    of({ namespace: 'pid:[2]' }),
  ]).toEqual([...['alive', 'dead', 'dead', 'alive', 'unknown']]);
  expect([
    of({ boot: 'boot-0' }),
    of({ boot: 'boot-0', host: 'elsewhere' }),
    of({ boot: 'boot-0', namespace: 'pid:[2]' }),
  ]).toEqual(['dead', 'unknown', 'unknown']);
  rmSync(path.join(proc, 'sys'), { recursive: true });
  rmSync(path.join(proc, 'self/ns'), { recursive: true });
  const untold = new ProcessTable(proc);
  expect(untold.self()).toMatchObject({ boot: '', namespace: '' });
  rmSync(path.join(proc, String(process.pid)), { recursive: true });
  expect(new ProcessTable(proc).self().start).toBe('unknown');
  expect([of({}, untold), of({ host: 'elsewhere' }, untold)]).toEqual(['alive', 'unknown']);
});

test('what a run left is what bears its mark, and whatever that led or began', () => {
  const marked = { files: { environ: 'A=1\0RUN=a\0' } };
  const { table, write } = procOf({
    ...{ 10: marked, 11: { parent: 10, group: 5, session: 5 }, 12: { parent: 11, group: 5, session: 5 } },
    ...{ 13: { group: 10, session: 5 }, 14: { group: 6, session: 10 }, 15: { files: { environ: 'RUN=ab\0' } } },
    ...{ 16: { parent: 10, state: 'Z' }, 17: { session: 70, group: 6 }, 18: { parent: 17, group: 6, session: 6 } },
    19: { state: 'X', parent: 10 },
  });
  write(`${process.pid}/environ`, 'RUN=a\0');
  const belonging = (values: readonly string[], ...sessions: number[]) =>
    [...table.belongingTo({ name: 'RUN', values: new Set(values), sessions: new Set(sessions) })].sort();
  expect(belonging(['a', 'c'])).toEqual([10, 11, 12, 13, 14]);
  expect(belonging([], 70)).toEqual([17, 18]);
  expect(belonging(['ab'], 70)).toEqual([15, 17, 18]);
  expect([belonging(['x']), belonging([])]).toEqual([[], []]);
});

test('who has a file below a folder open is found by its words', () => {
  const { table, peers, proc } = procOf({
    10: { files: { cmdline: 'codex\0exec\0' }, open: ['/elsewhere/x', '/folder/x'] },
    11: { files: { cmdline: 'codex\0exec\0' }, open: ['/folder2/x', '/folder'] },
    12: { files: { cmdline: 'other\0' }, open: ['/folder/x'] },
    13: { files: { cmdline: 'codex\0exec\0' } },
  });
  expect(table.holdingOpen('codex exec', '/folder')).toEqual([10]);
  expect([peers.hidesFiles(10), peers.hidesFiles(13), peers.hidesFiles(99)]).toEqual([false, true, true]);
  expect([peers.wordsOf(10), peers.wordsOf(99)]).toEqual([['codex', 'exec', ''], []]);
  expect([...peers.all()].sort()).toEqual([10, 11, 12, 13, process.pid].sort());
  expect([new ProcessPeers('').all(), new ProcessPeers('').limitOf(10), new ProcessPeers('').wordsOf(10)]).toEqual([
    ...[[], undefined, []],
  ]);
  writeFileSync(path.join(proc, '10/comm'), 'mark-1\n');
  expect([10, 11, 0, -1, 1.5].map((pid) => peers.shows(pid, 'mark-1'))).toEqual([true, false, false, false, false]);
  expect(peers.shows(10, 'mark')).toBe(false);
  const [word = ''] = new ProcessTable('').commandOf(process.pid)?.split(' ') ?? [];
  const withoutProc = new ProcessPeers('');
  expect([word, `${word}x`].map((one) => withoutProc.shows(process.pid, one))).toEqual([true, false]);
  expect([0, -1, 1.5].map((pid) => withoutProc.shows(pid, word))).toEqual([false, false, false]);
});

test('limits that mark runs are read as the kernel writes them', () => {
  const limits = (text: string) => ({
    files: { limits: `Limit  Soft  Hard  Units\nMax file locks   ${text} locks\n` },
  });
  const { peers, write } = procOf({ 10: limits('5 7'), 11: limits('unlimited unlimited'), 12: {}, 13: limits('9 8') });
  expect([10, 11, 12].map((pid) => peers.limitOf(pid))).toEqual([7, Number.POSITIVE_INFINITY, undefined]);
  expect([...peers.below(8)].sort()).toEqual([10]);
  expect([...peers.below(9)].sort()).toEqual([10, 13]);
  expect(peers.limitsHold).toBe(false);
  for (const [set, holds] of [
    ['0000000000000000', true],
    ['0000000001000000', false],
    ['0000000000ffffff', true],
    ['000001ffffffffff', false],
    ['none', false],
  ] as const) {
    write('self/status', `Name:\tnode\nCapEff:\t${set}\n`);
    expect(peers.limitsHold, set).toBe(holds);
  }
});

test('the other end of a connection is looked for in both tables, once it stands', () => {
  const { peers, write } = procOf({ 10: { open: ['socket:[77]', '/x'] }, 11: { open: ['socket:[78]'] }, 12: {} });
  const row = (local: string, remote: string, state: string, inode: string) =>
    `   0: 0100007F:${local} 0100007F:${remote} ${state} 00000000:00000000 00:00000000 00000000  0  0 ${inode} 1\n`;
  const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
  const holders = () => peers.holdersOf({ from: 10, to: 48879 }, [10, 11, 12]);
  expect(holders()).toBeUndefined();
  for (const [rows, wanted] of [
    [row('000A', 'BEEF', '01', '77'), [10]],
    [row('BEEF', '000A', '01', '77'), undefined],
    [row('000A', 'BEEF', '06', '77'), undefined],
    [row('000A', 'BEEF', '01', '0'), undefined],
    [row('000A', 'BEE0', '01', '77') + row('000B', 'BEEF', '01', '77') + row('000A', 'BEEF', '01', '78'), [11]],
    [row('000A', 'BEEF', '01', '79'), []],
  ] as const)
    for (const table of ['tcp', 'tcp6']) {
      for (const each of ['tcp', 'tcp6']) write(`self/net/${each}`, each === table ? head + rows : head);
      expect(holders(), `${table} ${rows}`).toEqual(wanted);
    }
});

test('nothing is sent to everybody, nor to what is not there', () => {
  const { table } = procOf({});
  // Nothing is really sent: if the guard were wrong, the signal would end all processes of the machine.
  const sent: unknown[] = [];
  const kill = vi.spyOn(process, 'kill').mockImplementation((target, signal) => {
    sent.push([target, signal]);
    throw Object.assign(new Error(), { code: target > 0 ? 'ESRCH' : 'EPERM' });
  });
  onTestFinished(() => kill.mockRestore());
  for (const pid of [1, 0, -1]) {
    expect(table.signal(pid, 'SIGTERM')).toBe(false);
    expect(table.signalGroup(pid, 'SIGTERM')).toBe(false);
  }
  expect(sent).toEqual([]);
  expect([table.signal(2, 'SIGTERM'), table.signalGroup(2, 'SIGKILL')]).toEqual([false, false]);
  expect(sent).toEqual([
    [2, 'SIGTERM'],
    [-2, 'SIGKILL'],
  ]);
  kill.mockReturnValue(true);
  expect([table.signal(2, 'SIGTERM'), table.signalGroup(2, 'SIGKILL')]).toEqual([true, true]);
  kill.mockImplementation(() => {
    throw new Error('odd');
  });
  expect(() => table.signal(2, 'SIGTERM')).toThrow('odd');
});

test('a lock is contended while somebody asked for it a moment ago; who asked earlier has given up', () => {
  const folder = room('lock');
  const now = Date.parse('2026-03-01T10:00:00Z');
  const lock = new ProcessTable().lock(path.join(folder, 'write.lock'), { now: () => now });
  const want = (name: string, at: number) => {
    writeFileSync(path.join(folder, name), '');
    utimesSync(path.join(folder, name), at / 1_000, at / 1_000);
  };
  want('other.want.1', now);
  expect(lock.contended()).toBe(false);
  want('write.lock.want.1', now - WORK_LIMITS.lockWaitMs - 1_000);
  expect([lock.contended(), readdirSync(folder)]).toEqual([false, ['other.want.1']]);
  want('write.lock.want.1', now + WORK_LIMITS.lockWaitMs + 1_000);
  expect(lock.contended(), 'asked before the clock was set back').toBe(false);
  for (const at of [now, now + 1_000, now - WORK_LIMITS.lockWaitMs + 1_000]) {
    want('write.lock.want.2', at);
    want('write.lock.want.3', now - WORK_LIMITS.lockWaitMs - 1_000);
    expect([lock.contended(), readdirSync(folder).sort()]).toEqual([true, ['other.want.1', 'write.lock.want.2']]);
  }
});
