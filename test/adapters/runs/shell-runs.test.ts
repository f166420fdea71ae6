import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { RunEnds } from '#adapters/runs/run-ends.js';
import { RunFolder } from '#adapters/runs/run-folder.js';
import { ShellRuns } from '#adapters/runs/shell-runs.js';
import type { RunFact } from '#core/coordinator/snapshot.js';
import { type Clock, systemClock } from '#kernel/clock.js';
import type { RunPlan } from '#ports/run-host.js';
import { requestByHand } from '../../launcher.js';
import { NO_CLIENT_RUNS, NO_SANDBOX, noDoors } from '../../no-sandbox.js';
import { PATIENCE } from '../../patience.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

function place() {
  const projectFolder = room('runs');
  const agentsFolder = path.join(projectFolder, '.workgraph', 'agents');
  mkdirSync(agentsFolder, { recursive: true });
  const plan = (id: string, command: string, environment: Record<string, string> = {}): RunPlan => ({
    id,
    taskId: `task of ${id}`,
    fence: 1,
    command,
    check: '',
    sandboxed: true,
    environment,
    timeoutMs: 60_000,
    startedAt: Date.now(),
  });
  return { projectFolder, agentsFolder, plan };
}

function host(projectFolder: string, agentsFolder: string, clock: Clock = systemClock, tree = ''): ShellRuns {
  const processes = new ProcessTable();
  const runs = new ShellRuns({
    agentsFolder,
    ends: new RunEnds(path.join(projectFolder, 'runtime/ends.jsonl')),
    projectFolder,
    processes,
    clock,
    command: 'troupe',
    runProgram: 'run',
    sandbox: NO_SANDBOX,
    doors: noDoors(agentsFolder),
    ...NO_CLIENT_RUNS,
    trees: async () => ({ placeOf: async () => ({ path: tree, folder: tree, branch: 'wg/a/1' }) }),
  });
  onTestFinished(() => runs.close());
  return runs;
}

/** Resolves with the first facts of a run that satisfy the question; asked whenever facts may have changed. */
function whenever(runs: ShellRuns, id: string, question: (fact: RunFact) => boolean): Promise<RunFact> {
  return new Promise((resolve) => {
    const look = async () => {
      const fact = (await runs.facts()).find((candidate) => candidate.id === id);
      if (fact && question(fact)) resolve(fact);
    };
    runs.onChange(look);
    void look();
  });
}

verifies('run.folder', 'a run leaves what it printed and how it ended, readable by nobody else', async () => {
  const { projectFolder, agentsFolder, plan } = place();
  const runs = host(projectFolder, agentsFolder);
  await runs.start(
    plan('agent-1', 'echo "$IN_NAME in $PWD"; exit 3', { IN_NAME: "it's $(touch pwned) `id`\nhere", HOME: '/nowhere' }),
  );
  const fact = await whenever(runs, 'agent-1', ({ exit }) => exit !== undefined);
  expect(fact).toMatchObject({ alive: false, started: true, exit: { code: 3 } });
  const folder = new RunFolder(agentsFolder, 'agent-1');
  expect(readFileSync(folder.output, 'utf8')).toBe(`it's $(touch pwned) \`id\`\nhere in ${projectFolder}\n`);
  expect(existsSync(path.join(projectFolder, 'pwned'))).toBe(false);
  expect(folder.record()).toMatchObject({ id: 'agent-1', task_id: 'task of agent-1', fence: 1 });
});

/** Runs one command to its end, where its plan names a worktree in `tree`; answers what it printed and its code. */
async function ran(
  command: string,
  more: Partial<RunPlan> = {},
  tree = '',
): Promise<{ printed: string; fact: RunFact }> {
  const { projectFolder, agentsFolder, plan } = place();
  const runs = host(projectFolder, agentsFolder, systemClock, tree);
  await runs.start({ ...plan('agent-1', command), ...more });
  const fact = await whenever(runs, 'agent-1', ({ alive }) => !alive);
  const { output } = new RunFolder(agentsFolder, 'agent-1');
  return { printed: existsSync(output) ? readFileSync(output, 'utf8') : '', fact };
}

verifies(
  'hold.shell.clean',
  'a command is a bash of its own, which has nothing of ours: all it can see is what any has',
  async () => {
    const seen =
      'declare -F; alias; trap; echo "$-" "$0" "$#"; shopt; set -o; compgen -v; jobs; (cd /proc/self/fd; echo *)';
    const { printed } = await ran(`${seen}; [ "$$" = "$BASHPID" ] && echo own; env -0 > "$WG_RUN/environment"`);
    const { printed: environment } = await ran('env -0');
    const env = Object.fromEntries(environment.split('\0').map((pair) => pair.split(/=(.*)/s) as [string, string]));
    expect(Object.keys(env)).toContain('WG_TASK_ID');
    // Where it works in another folder, nothing tells which one ours was.
    const folder = room('tree');
    const tree = { attempt: 1, mode: 'shell' } as const;
    const { printed: elsewhere } = await ran('pwd; echo "[$OLDPWD]"; env | grep -c ^OLDPWD', { tree }, folder);
    expect(elsewhere).toBe(`${folder}\n[]\n0\n`);
    const plain = spawnSync('bash', ['--norc', '-c', seen], { env, encoding: 'utf8', argv0: 'bash' });
    expect(printed).toBe(`${plain.stdout}own\n`);
  },
);

verifies(
  'hold.shell.clean',
  'programs that are called as our functions run; a command may begin as an option does',
  async () => {
    const bin = room('bin');
    const before = process.env['PATH'];
    process.env['PATH'] = `${bin}:${before}`;
    onTestFinished(() => {
      process.env['PATH'] = before;
    });
    const names = ['serve', 'run', 'settle', 'field', 'become'];
    for (const name of names)
      writeFileSync(path.join(bin, name), `#!/bin/sh\necho the program ${name}\n`, { mode: 0o755 });
    const { printed, fact } = await ran(names.join(' && '));
    expect([printed, fact.exit?.code]).toEqual([names.map((name) => `the program ${name}\n`).join(''), 0]);
    expect((await ran('-x')).printed).toBe('bash: line 1: -x: command not found\n');
    expect((await ran('true')).fact.exit?.code).toBe(0);
    expect((await ran('false')).fact.exit?.code).toBe(1);
    expect((await ran(`: ${'x'.repeat(200_000)}`)).fact.startError).toMatch(/more than 131071 bytes/);
  },
);

/** Starts things that outlive it, in sessions of their own and with another environment; their pids stand in `pids`. */
const LEAVES = [
  'setsid sleep 1000 & echo $! >> pids',
  'sleep 1000 & echo $! >> pids',
  `setsid bash -c 'env -i sleep 1000 & echo $! >> pids; wait' &`,
  `setsid bash -c 'trap "" TERM; set -m; env -i sleep 1000 & echo $! >> pids; wait' &`,
  'until [ "$(wc -l < pids)" = 4 ]; do sleep 0.02; done',
].join('\n');

verifies(
  'hold.leftover',
  'what a run leaves running ends with it, wherever it went: after its end, when it is ended, and when we go',
  async () => {
    const { projectFolder, agentsFolder, plan } = place();
    const runs = host(projectFolder, agentsFolder);
    const pids = () => readFileSync(path.join(projectFolder, 'pids'), 'utf8').trim().split('\n').map(Number);
    const left = () => pids().filter((pid) => new ProcessTable().startOf(pid) !== undefined);
    await runs.start(plan('agent-1', LEAVES));
    await whenever(runs, 'agent-1', ({ alive }) => !alive);
    await vi.waitFor(() => expect(left()).toEqual([]), PATIENCE);

    rmSync(path.join(projectFolder, 'pids'));
    await runs.start(plan('agent-2', `${LEAVES}\ntouch there; wait`));
    await vi.waitFor(() => expect(existsSync(path.join(projectFolder, 'there'))).toBe(true), PATIENCE);
    await runs.end('agent-2', 'stopped');
    await whenever(runs, 'agent-2', ({ alive }) => !alive);
    await vi.waitFor(() => expect(left()).toEqual([]), PATIENCE);

    rmSync(path.join(projectFolder, 'pids'));
    await runs.start(plan('agent-3', LEAVES));
    await whenever(runs, 'agent-3', ({ alive }) => !alive);
    await runs.close();
    // Nobody is left to end them later: this only waits for the kernel to be through with what was killed.
    await vi.waitFor(() => expect(left()).toEqual([]), PATIENCE);
  },
);

verifies('say.untrue', 'what a command printed before its bad end is told with the code, without secrets', async () => {
  const refused = await ran(
    'echo working; echo "error[bad_evaluation]: No verdict. token=AKIAABCDEFGHIJKLMNOP" >&2; exit 1',
  );
  expect(refused.fact.exit).toMatchObject({
    code: 1,
    lastLines: expect.stringMatching(/bad_evaluation\]: No verdict. token=\*+$/),
  });
  expect((await ran('echo worked')).fact.exit?.lastLines).toBeUndefined();
});

verifies(
  'hold.verify.told',
  'a check is another bash after the good end of a command; its code and last lines are told',
  async () => {
    const check = 'seq 1 9; echo token=AKIAABCDEFGHIJKLMNOP; exit 3';
    const failed = await ran('echo worked; x=1', { check: `${check} ` });
    expect(failed.fact.exit).toMatchObject({
      code: 3,
      check: { lastLines: expect.stringMatching(/^6\n7\n8\n9\ntoken=\*+$/) },
    });
    expect(failed.printed).toContain('worked\n--- check\n1\n');
    expect((await ran('true', { check: 'exit 4' })).fact.exit).toMatchObject({ code: 4, check: { lastLines: '' } });
    expect((await ran('echo worked; exit 2', { check })).fact.exit).not.toHaveProperty('check');
    expect((await ran('echo ) ; (', { check: 'echo never' })).printed).not.toContain('never');
  },
);

verifies('crash.service-claimed', 'of a run and a coordinator only one gets the ticket', async () => {
  const { projectFolder, agentsFolder, plan } = place();
  const taken = new RunFolder(agentsFolder, 'agent-1');
  expect(taken.voidTicket()).toBe(true);
  expect(requestByHand(projectFolder, plan('agent-1', 'echo ran'))).toMatch(/^agent-1 \d+ +$/);
  expect(existsSync(taken.output)).toBe(false);
  const running = new RunFolder(agentsFolder, 'agent-2');
  running.create();
  expect(requestByHand(projectFolder, plan('agent-2', 'echo ran'))).toMatch(/^agent-2 \d+ 0 $/);
  expect(readFileSync(running.output, 'utf8')).toBe('ran\n');
  const ticket = readFileSync(path.join(running.folder, 'run.jsonl'), 'utf8');
  expect(running.voidTicket()).toBe(false);
  expect(readFileSync(path.join(running.folder, 'run.jsonl'), 'utf8')).toBe(ticket);
});

test('a ticket that was only begun is no ticket, and no process', () => {
  const { agentsFolder } = place();
  const torn = new RunFolder(agentsFolder, 'agent-1');
  torn.create();
  for (const text of ['', '{"pid":12', '{"pid":"12"}\n', 'garbage\n']) {
    writeFileSync(path.join(torn.folder, 'run.jsonl'), text);
    expect(torn.pid()).toBeUndefined();
    expect(torn.voidTicket()).toBe(false);
    expect(torn.hasEnded()).toBe(false);
  }
});

verifies(
  'hold.launcher',
  'a launcher that was stopped is noticed within ten seconds and replaced; what it was asked for never begins',
  async () => {
    const { projectFolder, agentsFolder, plan } = place();
    const clock = { time: Date.now(), now: () => clock.time };
    const runs = host(projectFolder, agentsFolder, clock);
    await runs.start(plan('agent-1', 'until [ -e go ]; do sleep 0.05; done'));
    await whenever(runs, 'agent-1', () => new RunFolder(agentsFolder, 'agent-1').pid() !== undefined);
    const launcher = launcherOf(agentsFolder);
    process.kill(launcher, 'SIGSTOP');
    await runs.start(plan('agent-2', 'echo ran > ran.txt'));
    // Ten times as fast, and never in one leap: what the launcher said before it was stopped may yet be heard.
    const time = setInterval(() => {
      clock.time += 500;
    }, 50);
    onTestFinished(() => clearInterval(time));
    const { started, startError } = await whenever(runs, 'agent-2', ({ alive }) => !alive);
    expect(started).toBe(false);
    expect(startError).toMatch(/^the launcher did not answer for ([5-9]|10)s$/);
    await vi.waitFor(() => expect(new ProcessTable().startOf(launcher)).toBeUndefined(), PATIENCE);
    await runs.start(plan('agent-3', 'true'));
    expect((await whenever(runs, 'agent-3', ({ exit }) => exit !== undefined)).exit?.code).toBe(0);
    writeFileSync(path.join(projectFolder, 'go'), '');
    expect((await whenever(runs, 'agent-1', ({ exit }) => exit !== undefined)).exit?.code).toBe(0);
    expect(existsSync(path.join(projectFolder, 'ran.txt'))).toBe(false);
  },
);

verifies('hold.leftover', 'whoever closes returns once its launcher is gone, also one that was stopped', async () => {
  for (const stopped of [false, true]) {
    const { projectFolder, agentsFolder, plan } = place();
    const runs = host(projectFolder, agentsFolder);
    await runs.start(plan('agent-1', 'until [ -e go ]; do sleep 0.05; done'));
    await whenever(runs, 'agent-1', () => new RunFolder(agentsFolder, 'agent-1').pid() !== undefined);
    const launcher = launcherOf(agentsFolder);
    writeFileSync(path.join(projectFolder, 'go'), '');
    await whenever(runs, 'agent-1', ({ alive }) => !alive);
    if (stopped) process.kill(launcher, 'SIGSTOP');
    await runs.close();
    expect(new ProcessTable().startOf(launcher)).toBeUndefined();
  }
});

test('a launcher that is killed takes no run with it, and the next request starts another', async () => {
  const { projectFolder, agentsFolder, plan } = place();
  const runs = host(projectFolder, agentsFolder);
  await runs.start(plan('agent-1', 'until [ -e go ]; do sleep 0.05; done; echo ended'));
  const first = new RunFolder(agentsFolder, 'agent-1');
  await whenever(runs, 'agent-1', () => first.pid() !== undefined);
  const launcher = launcherOf(agentsFolder);
  process.kill(launcher, 'SIGKILL');
  await vi.waitFor(() => expect(new ProcessTable().startOf(launcher)).toBeUndefined(), PATIENCE);
  writeFileSync(path.join(projectFolder, 'go'), '');
  expect((await whenever(runs, 'agent-1', ({ exit }) => exit !== undefined)).exit?.code).toBe(0);
  await runs.start(plan('agent-2', 'true'));
  expect((await whenever(runs, 'agent-2', ({ exit }) => exit !== undefined)).exit?.code).toBe(0);
});

test('a run that is told to end before it began never begins', async () => {
  const { projectFolder, agentsFolder, plan } = place();
  const runs = host(projectFolder, agentsFolder);
  const started = runs.start(plan('agent-1', 'echo ran > ran.txt'));
  await runs.end('agent-1', 'stopped');
  await started;
  const fact = await whenever(runs, 'agent-1', ({ alive }) => !alive);
  if (!fact.started) expect(existsSync(path.join(projectFolder, 'ran.txt'))).toBe(false);
  expect(fact.alive).toBe(false);
});

/** The one that forks runs: it leads the group it is in and is the parent of the others that show its command line. */
function launcherOf(agentsFolder: string): number {
  const shown = execFileSync('pgrep', ['-f', '--', `--serve ${agentsFolder}`], { encoding: 'utf8' });
  const pids = shown.trim().split('\n').map(Number);
  const parents = new Map(pids.map((pid) => [pid, Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)]))]));
  return pids.find((pid) => !pids.includes(parents.get(pid) ?? 0)) ?? 0;
}

verifies(
  'run.folder',
  'a run that must not start is over with its reason; what ended is known as long as one is left',
  async () => {
    const { projectFolder, agentsFolder, plan } = place();
    const runs = host(projectFolder, agentsFolder);
    const ends = path.join(projectFolder, 'runtime/ends.jsonl');
    writeFileSync(ends, 'an end\n');
    let changes = 0;
    runs.onChange(() => changes++);
    await runs.refuse(plan('agent-7', 'true'), 'no sandbox');
    expect(await runs.fact('agent-7')).toMatchObject({ alive: false, started: false, startError: 'no sandbox' });
    expect([(await runs.facts()).length, changes]).toEqual([1, 1]);
    expect(await runs.adopt([]), 'its number is taken').toBe(7);
    expect(readFileSync(ends, 'utf8')).toBe('an end\n');
    await runs.forget('agent-7', 'failed');
    expect([await runs.facts(), readFileSync(ends, 'utf8')]).toEqual([[], '']);
    writeFileSync(ends, 'another end\n');
    expect(await runs.adopt([])).toBe(7);
    expect(readFileSync(ends, 'utf8')).toBe('');
  },
);
