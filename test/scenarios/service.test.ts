import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { requestByHand } from '../launcher.js';
import { verifies } from '../verifies.js';
import {
  asked,
  bareService,
  childrenOf,
  converse,
  endEverything,
  project,
  readJson,
  runsOf,
  socketOf,
  start,
  startService,
  startTime,
  statuses,
  textOf,
  troupe,
  until,
  untilStatus,
} from './program.js';

const service = (cwd: string) => path.join(cwd, '.workgraph/service');
const runState = (cwd: string, run = 'agent-1') => textOf(path.join(cwd, '.workgraph/agents', run, 'run.jsonl'));

describe('the service', () => {
  verifies(
    ['service.state', 'service.second', 'sec.socket', 'ipc.bad'],
    'one runs, for its owner only; a second is refused; it answers what is no request, pauses, goes on and stops',
    async () => {
      const cwd = await project();
      const { pid } = await startService(cwd, '--max-agents', '3');
      const socket = socketOf(cwd);
      expect(statSync(socket).mode & 0o777).toBe(0o600);
      for (const folder of [service(cwd), path.dirname(socket)]) expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(statSync(path.join(service(cwd), 'state.json')).mode & 0o777).toBe(0o600);
      expect(readJson(path.join(service(cwd), 'state.json'))).toMatchObject({
        pid,
        start_time: startTime(pid),
        socket_path: socket,
        boot_id: expect.any(String),
        started_at: expect.any(String),
      });
      expect(await asked(['service', 'status'], { cwd })).toMatchObject({
        pid,
        agents: { alive: 0 },
        coordinator: { paused: false, max_agents: 3 },
      });
      const second = await troupe(['service', 'start', '--json'], { cwd });
      expect(second).toMatchObject({ code: 1, stdout: '' });
      expect(JSON.parse(second.stderr).error).toMatchObject({ code: 'service_running', details: { pid } });

      const answers = await converse(cwd, [
        'nonsense',
        '[1]',
        { cmd: 'dance' },
        { cmd: 'graph_changed' },
        { cmd: 'status' },
      ]);
      expect(answers.map((answer) => answer['ok'])).toEqual([false, false, false, true, true]);
      expect(answers[3]).toEqual({ ok: true, action: 'coordinator_wake_scheduled' });

      expect((await troupe(['service', 'pause'], { cwd })).stdout).toMatch(/Paused/);
      await asked(['add', 'Alpha', '--exec', 'true'], { cwd });
      expect(await asked(['service', 'tick'], { cwd })).toMatchObject({
        coordinator: { paused: true },
        agents: { alive: 0 },
      });
      expect(await statuses(cwd)).toEqual({ alpha: 'open' });
      await troupe(['service', 'resume'], { cwd });
      await untilStatus(cwd, 'alpha', 'done');

      // A client that never hangs up does not keep it from stopping.
      const connection = createConnection({ path: socket, allowHalfOpen: true });
      await new Promise((resolve) => connection.once('connect', resolve));
      onTestFinished(() => void connection.destroy());
      const stopped = await troupe(['service', 'stop'], { cwd });
      expect(stopped).toMatchObject({ code: 0, stderr: '' });
      expect(startTime(pid)).toBeUndefined();
      expect(existsSync(socket)).toBe(false);
      expect((await troupe(['service', 'status'], { cwd })).stderr).toMatch(
        /^error\[service_not_running\]: .*\nhint: /,
      );
    },
  );

  verifies('service.second', 'of racing starts one wins, the others say so', async () => {
    const cwd = await project();
    onTestFinished(() => endEverything(cwd));
    const starts = await Promise.all(
      Array.from({ length: 4 }, () => start(['service', 'start', '--json'], { cwd }).finished),
    );
    const codes = starts.map(({ code, stderr }) => (code === 0 ? 'started' : JSON.parse(stderr).error.code));
    expect(codes.sort()).toEqual(['service_running', 'service_running', 'service_running', 'started']);
  });

  verifies(
    ['service.stale', 'graph.store.lock', 'crash.service-commit'],
    'what a killed service leaves behind stops nobody',
    async () => {
      const cwd = await project();
      const { pid } = await startService(cwd);
      process.kill(pid, 'SIGKILL');
      await until('the service to be gone', () => startTime(pid) === undefined);
      expect(existsSync(socketOf(cwd))).toBe(true);
      expect((await troupe(['service', 'status'], { cwd })).code).toBe(1);
      expect((await asked<{ id: string }>(['add', 'Alpha'], { cwd })).id).toBe('alpha');
      // A pid that lives again as somebody else, as after a restart of the machine.
      const state = readJson<object>(path.join(service(cwd), 'state.json'));
      writeFileSync(path.join(service(cwd), 'state.json'), JSON.stringify({ ...state, pid: process.pid }));
      const again = await startService(cwd);
      expect(await asked(['service', 'status'], { cwd })).toMatchObject({ pid: again.pid });
      expect(await statuses(cwd)).toEqual({ alpha: 'open' });
    },
  );

  test('stop --kill-agents ends what runs and gives it back', async () => {
    const cwd = await project();
    await asked(['add', 'Long', '--exec', 'sleep 60'], { cwd });
    onTestFinished(() => endEverything(cwd));
    const child = bareService(cwd);
    await new Promise((resolve) => child.once('message', resolve));
    await until('it to run', () => runsOf(cwd).length > 0);
    const stopped = await troupe(['service', 'stop', '--kill-agents'], { cwd });
    expect(stopped.code, stopped.stderr).toBe(0);
    expect(runsOf(cwd)).toEqual([]);
    expect(await statuses(cwd)).toEqual({ long: 'open' });
  });
});

describe('runs', () => {
  verifies(
    ['service.detached', 'service.readopt', 'wrap.settle'],
    'survive the stop and a kill of the service, and are adopted; worked example 5: one ends with 3 while it is down',
    async () => {
      const cwd = await project();
      await startService(cwd);
      await asked(
        ['add', 'One', '--exec', 'echo $$ > one.pid; until test -e go-on; do sleep 0.05; done; echo one >> ran.txt'],
        { cwd },
      );
      await asked(['add', 'Three', '--exec', 'until test -e end; do sleep 0.05; done; exit 3'], { cwd });
      await until('the task to begin', () => textOf(path.join(cwd, 'one.pid')) !== '');
      await untilStatus(cwd, 'three', 'in-progress');
      await troupe(['service', 'stop'], { cwd });
      // What it is just doing carries the mark; between two of its sleeps nothing does.
      await until('it to be seen at work', () => runsOf(cwd, 'agent-1').length > 0);
      writeFileSync(path.join(cwd, 'end'), '');
      await until('the other to end', () => runState(cwd, 'agent-2').includes('{"code":'));
      const { pid } = await startService(cwd);
      await untilStatus(cwd, 'three', 'failed');
      expect(await asked(['show', 'three'], { cwd })).toMatchObject({
        task: { failure_reason: 'Command exited with code 3' },
      });
      expect(await asked(['service', 'status'], { cwd })).toMatchObject({ agents: { alive: 1 } });
      process.kill(pid, 'SIGKILL');
      await until('the service to be gone', () => startTime(pid) === undefined);
      await startService(cwd);
      writeFileSync(path.join(cwd, 'go-on'), '');
      await untilStatus(cwd, 'one', 'done');
      expect(readFileSync(path.join(cwd, 'ran.txt'), 'utf8')).toBe('one\n');
      await until('nothing of it to be left', () => runsOf(cwd).length === 0);
    },
  );

  verifies(
    'coord.tick.triggers',
    'worked example 1: a chain is done in seconds although the poll takes minutes',
    async () => {
      const cwd = await project();
      await asked(['add', 'A', '--exec', 'echo hi > a.txt'], { cwd });
      await asked(['add', 'B', '--after', 'a', '--exec', 'test -f a.txt'], { cwd });
      const begun = Date.now();
      await startService(cwd, '--poll-interval', '300');
      await untilStatus(cwd, 'b', 'done', 10_000);
      expect(Date.now() - begun).toBeLessThan(10_000);
      expect(await statuses(cwd)).toEqual({ a: 'done', b: 'done' });
    },
  );

  verifies(
    ['wrap.timeout', 'exec.kill'],
    'a time box ends the whole group, grandchildren in sessions of their own too, and a part that made a group of its own without starting a program',
    async () => {
      const cwd = await project();
      await startService(cwd);
      const command =
        "trap '' TERM; sleep 600 & (setsid bash -c 'trap \"\" TERM; echo $$ > far.pid; sleep 600' &) ; wait; wait";
      const ofItsOwn = "set -m; ( trap '' TERM; echo $BASHPID > part.pid; while :; do sleep 0.2; done ) & wait";
      await asked(['add', 'Slow', '--timeout', '1s', '--exec', command], { cwd });
      await asked(['add', 'Split', '--timeout', '1s', '--exec', ofItsOwn], { cwd });
      await until('the grandchild', () => textOf(path.join(cwd, 'far.pid')) !== '');
      await until('the part to begin', () => textOf(path.join(cwd, 'part.pid')).endsWith('\n'));
      const part = Number(textOf(path.join(cwd, 'part.pid')));
      onTestFinished(() => {
        if (startTime(part) !== undefined) process.kill(part, 'SIGKILL');
      });
      expect(runsOf(cwd, 'agent-1').length).toBeGreaterThan(1);
      for (const id of ['slow', 'split']) await untilStatus(cwd, id, 'failed');
      await until('all of it to be gone', () => runsOf(cwd).length === 0 && startTime(part) === undefined);
      expect(await asked(['show', 'slow'], { cwd })).toMatchObject({
        task: { failure_reason: 'Agent exceeded hard timeout (1s)' },
      });
    },
  );

  verifies(
    ['exec.kill', 'service.readopt'],
    'a service killed in the grace leaves the hard end to the next one',
    async () => {
      const cwd = await project();
      const { pid } = await startService(cwd);
      await asked(['add', 'Stubborn', '--timeout', '1s', '--exec', "trap '' TERM; while :; do sleep 1; done"], { cwd });
      await until('it to be told to end', () => runState(cwd).includes('told_to_end'));
      process.kill(pid, 'SIGKILL');
      await until('the service to be gone', () => startTime(pid) === undefined);
      expect(runsOf(cwd).length).toBeGreaterThan(0);
      await startService(cwd);
      await untilStatus(cwd, 'stubborn', 'failed');
      expect(runsOf(cwd)).toEqual([]);
    },
  );

  verifies(
    ['wrap.order', 'coord.tick.reap', 'service.readopt'],
    'what a command leaves in the background ends with it, and a run with its task, also what was adopted or dropped while no service ran',
    async () => {
      const cwd = await project();
      await startService(cwd);
      await asked(['add', 'Own', '--exec', 'sleep 600 & true'], { cwd });
      await untilStatus(cwd, 'own', 'done');
      await until('nothing to be left', () => runsOf(cwd).length === 0);
      await asked(['add', 'Adopted', '--exec', 'sleep 600 & until test -e go-on; do sleep 0.05; done'], { cwd });
      for (const id of ['a', 'b']) await asked(['add', id, '--id', id, '--exec', 'sleep 600'], { cwd });
      for (const id of ['adopted', 'b']) await untilStatus(cwd, id, 'in-progress');
      await until('the first to begin', () => runState(cwd, 'agent-3').includes('"pid"'));
      await asked(['abandon', 'a'], { cwd });
      await until('the first to end', () => runsOf(cwd, 'agent-3').length === 0); // its shell may be gone before it can record it
      await troupe(['service', 'stop'], { cwd });
      await asked(['abandon', 'b'], { cwd });
      expect(runsOf(cwd, 'agent-4').length).toBeGreaterThan(0);
      await startService(cwd);
      await until('the second to end', () => runsOf(cwd, 'agent-4').length === 0);
      expect(runsOf(cwd, 'agent-2').length).toBeGreaterThan(0);
      writeFileSync(path.join(cwd, 'go-on'), '');
      await untilStatus(cwd, 'adopted', 'done');
      await until('nothing to be left', () => runsOf(cwd).length === 0);
    },
  );

  verifies(
    ['run.registry', 'crash.service-claimed', 'dispatch.register'],
    'a claim whose run never began is done by another, under a number of its own; a wrapper that comes too late does nothing, one killed before it wrote its ticket is not waited for',
    async () => {
      const cwd = await project();
      const claims = { alpha: 'agent-1', beta: 'agent-2', gamma: 'agent-3' };
      for (const [id, run] of Object.entries(claims)) {
        await asked(['add', id, '--id', id, '--exec', `echo ${id} >> ran.txt`], { cwd });
        await asked(['claim', id, '--actor', run], { cwd }); // as a service leaves it that is killed before it spawns
      }
      mkdirSync(path.join(cwd, '.workgraph/agents/agent-3'), { recursive: true });
      writeFileSync(path.join(cwd, '.workgraph/agents/agent-3/run.jsonl'), '');
      await startService(cwd);
      for (const id of Object.keys(claims)) await untilStatus(cwd, id, 'done', 15_000);
      const { task } = await asked<{ task: { assigned: string } }>(['show', 'alpha'], { cwd });
      expect(task.assigned).toMatch(/^agent-[456]$/);
      expect(task).not.toHaveProperty('deaths');
      const ran = () => readFileSync(path.join(cwd, 'ran.txt'), 'utf8').trim().split('\n').sort();
      expect(ran()).toEqual(Object.keys(claims));
      const plan = {
        id: 'agent-2',
        taskId: 'beta',
        fence: 1,
        timeoutMs: 60_000,
        startedAt: Date.now(),
        environment: {},
        check: '',
        sandboxed: true,
      };
      const said = requestByHand(cwd, { ...plan, command: 'echo late >> ran.txt' });
      expect([said.trim().split(' ').length, ran()]).toEqual([2, Object.keys(claims)]);
    },
  );

  test('whatever stands between the service and its runs may be killed: they go on, others start', async () => {
    const cwd = await project();
    const { pid } = await startService(cwd);
    await asked(['add', 'One', '--exec', 'until test -e go-on; do sleep 0.05; done; echo one >> ran.txt'], { cwd });
    await untilStatus(cwd, 'one', 'in-progress');
    const between = childrenOf(pid).filter((child) => textOf(`/proc/${child}/cmdline`).includes('--serve'));
    for (const child of between) process.kill(child, 'SIGKILL');
    await until('it to be gone', () => between.every((child) => startTime(child) === undefined));
    await asked(['add', 'Two', '--exec', 'echo two >> ran.txt'], { cwd });
    await untilStatus(cwd, 'two', 'done');
    writeFileSync(path.join(cwd, 'go-on'), '');
    await untilStatus(cwd, 'one', 'done');
    expect(readFileSync(path.join(cwd, 'ran.txt'), 'utf8')).toBe('two\none\n');
  });

  verifies(['dispatch.env', 'sec.env'], 'a secret of ours does not reach a task; what a task needs does', async () => {
    const cwd = await project();
    // Of the shell around it, and of the sandbox where there is one: the first is named by the ticket.
    const shell = `$(sed -n '1s/^{"pid":\\([0-9]*\\).*/\\1/p' "$WG_RUN/run.jsonl")`;
    const look = `env > env.txt; cat /proc/${shell}/cmdline > shell.txt; cat /proc/$PPID/cmdline > parent.txt`;
    await asked(['add', 'Look', '--exec', look], { cwd });
    onTestFinished(() => endEverything(cwd));
    const secrets = {
      OPENAI_API_KEY: 'sk-very-secret',
      AWS_SECRET_ACCESS_KEY: 'very-secret',
      CLAUDECODE: '1',
      CLAUDE_CODE_ENTRYPOINT: 'cli',
      BASH_ENV: '/tmp/evil',
      'BASH_FUNC_ls%%': '() { evil; }',
      NODE_OPTIONS: '--no-warnings',
    };
    await asked(['service', 'start'], { cwd, env: secrets });
    await untilStatus(cwd, 'look', 'done');
    const seen = readFileSync(path.join(cwd, 'env.txt'), 'utf8').split('\n');
    const names = seen.map((line) => line.split('=')[0]);
    for (const name of [...Object.keys(secrets), 'BASH_FUNC_ls%%']) expect(names).not.toContain(name);
    expect(seen.join()).not.toContain('secret');
    const run = path.join(cwd, '.workgraph/agents/agent-1');
    expect(seen).toEqual(
      expect.arrayContaining([
        'WG_TASK_ID=look',
        'WG_AGENT_ID=agent-1',
        'WG_ATTEMPT=1',
        'WG_FENCE=1',
        `WG_RUN=${run}`,
        `WG_PROJECT_ROOT=${cwd}`,
        'WG_EXECUTOR_TYPE=shell',
      ]),
    );
    const shellWords = readFileSync(path.join(cwd, 'shell.txt'), 'utf8');
    expect(shellWords).toContain('--serve');
    expect(shellWords).not.toContain('env >');
    expect(readFileSync(path.join(cwd, 'parent.txt'), 'utf8')).not.toContain('secret');
    expect(statSync(run).mode & 0o777).toBe(0o700);
  });

  verifies(
    'graph.move.fenced',
    'a run that calls us speaks for itself: its own task only, and only while it holds it',
    async () => {
      const cwd = await project();
      await asked(['add', 'Other', '--paused'], { cwd });
      const command = [
        'node "$TROUPE_BIN" log talker "hello" --json > own.txt 2>&1',
        'node "$TROUPE_BIN" log other "hello" --json > other.txt 2>&1',
        'WG_FENCE=0 node "$TROUPE_BIN" done talker --json > late.txt 2>&1',
        'node "$TROUPE_BIN" claim other --json > claim.txt 2>&1',
        'true',
      ].join('; ');
      await asked(['add', 'Talker', '--exec', command], { cwd });
      await startService(cwd);
      await untilStatus(cwd, 'talker', 'done');
      const said = (name: string) => JSON.parse(textOf(path.join(cwd, name)));
      expect(said('own.txt').log[0]).toMatchObject({ actor: 'agent-1', message: 'hello' });
      expect(said('other.txt').error.code).toBe('not_yours');
      expect(said('late.txt').error.code).toBe('stale_attempt');
      expect(said('claim.txt').error.code).toBe('not_yours');
    },
  );
});
