import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { PATIENCE } from '../../patience.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** As on macOS: there is no `/proc`, and whatever is asked, `ps` and `sysctl` tell. */
const withoutProc = () => new ProcessTable('');

/** A process of ours that waits, and ends with the test. */
async function waiting(environment: Record<string, string> = {}): Promise<ChildProcess & { pid: number }> {
  const env = { PATH: process.env['PATH'] ?? '', ...environment };
  const child = spawn('sh', ['-c', 'echo; read line'], { env, detached: true, stdio: ['pipe', 'pipe', 'ignore'] });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  await once(child.stdout, 'data');
  return child as unknown as ChildProcess & { pid: number };
}

/** Programs of the system as another one has them: each prints what is said, by the words it is called with. */
function system(programs: Record<string, readonly (readonly [words: string, prints: string])[]>): void {
  const bin = room('bin');
  for (const [name, answers] of Object.entries(programs)) {
    const cases = answers.map(([words, prints]) => `"${words}") cat <<'END'\n${prints}\nEND\n;;`);
    writeFileSync(path.join(bin, name), `#!/bin/sh\ncase "$*" in\n${cases.join('\n')}\n*) exit 1;;\nesac\n`, {
      mode: 0o755,
    });
  }
  vi.stubEnv('PATH', `${bin}:/usr/bin:/bin`);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
}

verifies(
  'ui.lock',
  'without /proc it is ps that tells who lives, since when, by which words, and who is stopped',
  async () => {
    const [table, child] = [withoutProc(), await waiting()];
    const start = table.startOf(child.pid);
    expect(start).toMatch(/^\w{3} \w{3} \d+ [\d:]{8} \d{4}$/);
    expect(withoutProc().startOf(child.pid)).toBe(start);
    expect(table.commandOf(child.pid)).toBe('sh -c echo; read line');
    expect(table.isStopped(child.pid)).toBe(false);
    process.kill(child.pid, 'SIGSTOP');
    await vi.waitFor(() => expect(table.isStopped(child.pid)).toBe(true), PATIENCE);
    expect(table.signalGroup(child.pid, 'SIGCONT')).toBe(true);
    await vi.waitFor(() => expect(table.isStopped(child.pid)).toBe(false), PATIENCE);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect([table.startOf(child.pid), table.commandOf(child.pid)]).toEqual([undefined, undefined]);
    expect(table.isStopped(child.pid)).toBe(false);
    for (const pid of [0, -1, 1.5, Number.NaN]) expect(table.startOf(pid)).toBeUndefined();
  },
);

test('without /proc a process that is over and waits to be asked for counts as none', () => {
  system({ ps: [['-o stat=,lstart= -p 700', 'Z    Sat Mar  1 10:00:00 2026']] });
  expect(withoutProc().startOf(700)).toBeUndefined();
});

verifies('ui.lock', 'without /proc a holder is known by the life of its machine, its pid and its start', () => {
  const life = 'AC3F-11';
  system({
    sysctl: [['-n kern.bootsessionuuid', life]],
    ps: [
      [`-o stat=,lstart= -p ${process.pid}`, 'S+   Sat Mar  1 10:00:00 2026'],
      ['-o stat=,lstart= -p 700', 'S    Sat Mar  1 10:05:00 2026'],
    ],
  });
  const table = withoutProc();
  const self = { pid: process.pid, start: 'Sat Mar 1 10:00:00 2026', host: hostname(), boot: life, namespace: '' };
  expect(table.self()).toEqual(self);
  expect(table.state(self)).toBe('alive');
  const other = { ...self, pid: 700, start: 'Sat Mar 1 10:05:00 2026' };
  expect(table.state(other)).toBe('alive');
  expect(table.state({ ...other, host: 'renamed since' })).toBe('alive');
  expect(table.state({ ...other, start: 'Sat Mar 1 09:00:00 2026' })).toBe('dead');
  expect(table.state({ ...other, pid: 701 })).toBe('dead');
  expect(table.state({ ...other, boot: 'before' })).toBe('dead');
  expect(table.state({ ...other, boot: 'before', host: 'elsewhere' })).toBe('unknown');
  expect(table.state({ ...other, namespace: 'pid:[1]' })).toBe('unknown');
});

verifies(
  ['ui.lock', 'hold.leftover'],
  'without /proc what a run left is known by its mark, its group and its parents',
  () => {
    system({
      ps: [
        [
          '-axEwwo pid=,command=',
          `  600 sleep 9 PATH=/bin WG_RUN=/p/agent-1 LANG=C\n  610 sleep 9 WG_RUN=/p/agent-12\n  620 node\n${process.pid} node WG_RUN=/p/agent-1`,
        ],
        [
          '-axo pid=,ppid=,pgid=,stat=',
          [
            '    1     0     1 Ss',
            '  600     1   600 S',
            '  601   600   600 S',
            '  602   601   602 Ss',
            '  603   600   600 Z',
            '  610     1   610 S',
            '  620     1   620 S',
            '  630   620   630 Ss',
            '  631     1   630 S',
          ].join('\n'),
        ],
      ],
    });
    const table = withoutProc();
    const mark = { name: 'WG_RUN', values: new Set(['/p/agent-1', '/p/agent-9']), sessions: new Set<number>() };
    expect([...table.belongingTo(mark)].sort()).toEqual([600, 601, 602]);
    expect(
      [...table.belongingTo({ ...mark, values: new Set(['/p/agent-3']), sessions: new Set([630]) })].sort(),
    ).toEqual([630, 631]);
    expect(table.belongingTo({ ...mark, values: new Set(['/p/agent-3']) })).toEqual([]);
  },
);

test('without /proc the ps of this machine tells of groups and parents; what it does not tell, nobody guesses', async () => {
  const [table, child] = [withoutProc(), await waiting()];
  const ours = { name: 'WG_RUN', values: new Set<string>(), sessions: new Set([child.pid]) };
  expect(table.belongingTo(ours)).toEqual([child.pid]);
  expect(table.holdingOpen('sh', room())).toEqual([]);
});
