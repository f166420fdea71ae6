import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { thisProcess } from '#main/asker.js';
import { ANONYMOUS_ASKER, askService } from '#surfaces/socket/client.js';
import type { SocketRequest } from '#surfaces/socket/protocol.js';
import { verifies } from '../verifies.js';
import {
  asked,
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

const folderOf = (cwd: string) => path.join(cwd, '.workgraph/service');
const log = (cwd: string) => textOf(path.join(folderOf(cwd), 'daemon.log'));
const TESS = thisProcess({ kind: 'person', name: 'tess' });
const asRun = { WG_AGENT_ID: 'agent-1', WG_TASK_ID: 'a', WG_FENCE: '1' };

interface Status {
  readonly pid: number;
  readonly coordinator: Record<string, unknown>;
}
const status = (cwd: string) => asked<Status>(['service', 'status'], { cwd });

describe('while it runs', () => {
  verifies('service.reload', 'flags count from the next tick; without any, what the file says now', async () => {
    const cwd = await project();
    await startService(cwd, '--max-agents', '1', '--interval', '300');
    await asked(['add', 'A', '--exec', 'until test -e go-on; do sleep 0.05; done'], { cwd });
    await asked(['add', 'B', '--exec', 'echo b > b.txt'], { cwd });
    await untilStatus(cwd, 'a', 'in-progress');
    await asked(['service', 'tick'], { cwd });
    expect((await statuses(cwd))['b']).toBe('open');
    expect(await asked(['service', 'reload', '--max-agents', '2', '--model', 'm-1'], { cwd })).toEqual({
      max_agents: 2,
      poll_interval: 300,
      executor: 'claude',
      model: 'm-1',
      executor_missing: expect.stringContaining('claude is not on the PATH'),
    });
    await untilStatus(cwd, 'b', 'done'); // nobody asked for a tick, and the poll is minutes away
    await asked(['config', 'set', 'coordinator.max_agents', '7'], { cwd });
    await asked(['config', 'set', 'coordinator.poll_interval', '90'], { cwd });
    expect(await asked(['service', 'reload'], { cwd })).toMatchObject({
      max_agents: 7,
      poll_interval: 90,
      model: 'm-1',
    });
    expect((await status(cwd)).coordinator).toMatchObject({ max_agents: 7, poll_interval: 90 });
    writeFileSync(path.join(cwd, '.workgraph/config.toml'), '[coordinator]\nmax_agents = "many"\n');
    const refused = await troupe(['service', 'reload'], { cwd });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('coordinator.max_agents')]);
    expect((await status(cwd)).coordinator).toMatchObject({ max_agents: 7 });
    writeFileSync(path.join(cwd, 'go-on'), '');
    await untilStatus(cwd, 'a', 'done');
  });

  verifies(
    'service.pause',
    'a run neither pauses nor stops nor changes the service; a restart keeps what was said at the start, and takes what is said now',
    async () => {
      const cwd = await project();
      const first = await startService(cwd, '--max-agents', '3', '--interval', '200');
      for (const words of [
        ['pause'],
        ['resume'],
        ['stop'],
        ['stop', '--force'],
        ['restart'],
        ['reload'],
        ['start', '--force'],
      ]) {
        const refused = await troupe(['service', ...words, '--json'], { cwd, env: asRun });
        expect([words, refused.code, JSON.parse(refused.stderr).error.code]).toEqual([words, 1, 'not_yours']);
      }
      const { pid } = first;
      expect(await status(cwd)).toMatchObject({ pid, coordinator: { paused: false, max_agents: 3 } });
      // What could not start takes nobody's place.
      for (const words of [['restart'], ['start', '--force']]) {
        const refused = await troupe(['service', ...words, '--executor', 'nosuch', '--json'], { cwd });
        expect([words, refused.code, JSON.parse(refused.stderr).error.code]).toEqual([words, 1, 'unknown_executor']);
      }
      writeFileSync(path.join(cwd, '.workgraph/config.toml'), '[coordinator]\nmax_agents = "many"\n');
      expect((await troupe(['service', 'restart'], { cwd })).stderr).toContain('error[bad_config]');
      rmSync(path.join(cwd, '.workgraph/config.toml'));
      expect(await status(cwd)).toMatchObject({ pid });
      const second = await asked<{ pid: number }>(['service', 'restart', '--interval', '100'], { cwd });
      expect(second).toMatchObject({ restarted: true });
      expect(startTime(pid)).toBeUndefined();
      expect(await status(cwd)).toMatchObject({ pid: second.pid, coordinator: { max_agents: 3, poll_interval: 100 } });
      await asked(['service', 'stop'], { cwd });
      const third = await troupe(['service', 'restart'], { cwd });
      expect(third.stdout).toMatch(/^No service was running: it has been started \(pid \d+\)\.\n/);
    },
  );

  test('start --force replaces one that is there, also one that hangs, which is said; its runs go on', async () => {
    const cwd = await project();
    const first = await startService(cwd);
    await asked(['add', 'A', '--exec', 'until test -e go-on; do sleep 0.05; done; echo one >> ran.txt'], { cwd });
    await untilStatus(cwd, 'a', 'in-progress');
    const second = await asked<{ pid: number }>(['service', 'start', '--force'], { cwd });
    expect(startTime(first.pid)).toBeUndefined();
    process.kill(second.pid, 'SIGSTOP');
    const list = start(['list'], { cwd });
    expect(await troupe(['service', 'status'], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^error\[service_silent\].*\nhint: .*stop --force/),
    });
    expect((await list.finished).stderr).toContain('service_silent');
    const third = await asked<{ pid: number }>(['service', 'start', '--force'], { cwd });
    expect(startTime(second.pid)).toBeUndefined();
    expect((await status(cwd)).pid).toBe(third.pid);
    writeFileSync(path.join(cwd, 'go-on'), '');
    await untilStatus(cwd, 'a', 'done');
    expect(readFileSync(path.join(cwd, 'ran.txt'), 'utf8')).toBe('one\n');
    process.kill(third.pid, 'SIGSTOP');
    expect((await troupe(['service', 'stop', '--force'], { cwd })).code).toBe(0);
    expect(startTime(third.pid)).toBeUndefined();
    expect(await statuses(cwd)).toEqual({ a: 'done' });
  });
});

describe('pause', () => {
  verifies(
    ['service.pause', 'service.tick-command'],
    'holds over a restart, and ticks decide nothing; runs go on; resume starts at once',
    async () => {
      const cwd = await project();
      await startService(cwd);
      await asked(['add', 'A', '--exec', 'until test -e go-on; do sleep 0.05; done'], { cwd });
      await untilStatus(cwd, 'a', 'in-progress');
      expect(await asked(['service', 'pause'], { cwd })).toEqual({ paused: true });
      await asked(['add', 'B', '--exec', 'true'], { cwd });
      await asked(['service', 'restart'], { cwd });
      // The service is asked for the decisions too.
      expect(await asked(['service', 'tick', '--dry-run'], { cwd })).toEqual({ decisions: [] });
      const { ticks } = (await status(cwd)).coordinator;
      const { coordinator } = await asked<Status>(['service', 'tick'], { cwd });
      expect(coordinator).toMatchObject({ paused: true, tasks_ready: 1 });
      expect(coordinator['ticks']).toBeGreaterThan(Number(ticks));
      expect(await statuses(cwd)).toEqual({ a: 'in-progress', b: 'open' });
      expect((await troupe(['status'], { cwd })).stdout).toMatch(
        /Next: `troupe service resume` \(1 task is ready, and the service is paused\)\n$/,
      );
      expect((await troupe(['service', 'status'], { cwd })).stdout).toMatch(/^Service paused, up /);
      expect((await troupe(['service', 'tick'], { cwd })).stdout).toContain('after `troupe service resume`');
      writeFileSync(path.join(cwd, 'go-on'), '');
      await untilStatus(cwd, 'a', 'done');
      expect(await asked(['service', 'resume'], { cwd })).toEqual({ paused: false });
      await untilStatus(cwd, 'b', 'done');
      await asked(['service', 'restart'], { cwd });
      expect((await status(cwd)).coordinator).toMatchObject({ paused: false });
    },
  );
});

describe('tick', () => {
  verifies(
    'service.tick-command',
    'one tick without a service; a dry run says what would be done and does nothing',
    async () => {
      const cwd = await project();
      onTestFinished(() => endEverything(cwd));
      await asked(['add', 'A', '--exec', 'echo a >> a.txt'], { cwd });
      const before = textOf(path.join(cwd, '.workgraph/operations.jsonl'));
      const would = {
        decisions: [expect.objectContaining({ do: 'dispatch', task: 'a', run: 'agent-1', reason: expect.any(String) })],
      };
      expect(await asked(['service', 'tick', '--dry-run'], { cwd })).toEqual(would);
      expect(textOf(path.join(cwd, '.workgraph/operations.jsonl'))).toBe(before);
      expect(existsSync(path.join(cwd, '.workgraph/agents/agent-1'))).toBe(false);
      expect(await asked(['service', 'tick'], { cwd })).toEqual({ ...would, consequences: [] });
      await untilStatus(cwd, 'a', 'done'); // it is settled by its own shell, or by whoever looks next
      expect(await asked(['service', 'tick', '--dry-run'], { cwd })).toEqual({ decisions: [] });
      expect(await asked(['service', 'tick'], { cwd })).toEqual({ decisions: [], consequences: [] });
      expect(readFileSync(path.join(cwd, 'a.txt'), 'utf8')).toBe('a\n');
    },
  );
});

describe('the log', () => {
  verifies('service.log', 'tells of ticks that acted, spawns, deaths and requests, and of no secret', async () => {
    const cwd = await project();
    await startService(cwd);
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    await asked(['add', 'A', '--exec', 'sleep 600', '--id', 'dies'], { cwd });
    await until('it to begin', () => runsOf(cwd).length > 0);
    const { agents } = await asked<{ agents: { pid: number }[] }>(['agents'], { cwd });
    process.kill(-(agents[0]?.pid ?? 0), 'SIGKILL');
    await until('the death to be told', () => /mark-dead dies agent-1/.test(log(cwd)));
    expect(log(cwd)).toMatch(/Z request task\.add by tess\n/);
    expect(log(cwd)).toMatch(/Z dispatch dies agent-1: /);
    await troupe(['kill', `agent-${secret}`], { cwd });
    const caller = { kind: 'person', name: `eve ${secret}\u001b[31m\nforged line` };
    const input = { id: 'dies', message: 'x' };
    await askService(socketOf(cwd), { cmd: 'operation', name: 'task.log', input, caller } as SocketRequest, TESS);
    await until('that to be told', () => log(cwd).includes('task.log by '));
    expect(log(cwd)).not.toContain(secret);
    expect(log(cwd), 'whoever a request says it is from').not.toContain('by eve');
    expect(log(cwd)).not.toContain('\u001b');
    expect(log(cwd).split('\n')).not.toContain('forged line');
    expect(statSync(path.join(folderOf(cwd), 'daemon.log')).mode & 0o777).toBe(0o600);
    const lines = log(cwd).split('\n').length;
    await status(cwd);
    expect(log(cwd).split('\n').length).toBe(lines); // a look is no request worth a line
  });
});

verifies(
  'coord.tick.load',
  'a line that a hand broke is told of; the rest of the edit counts, and the work goes on',
  async () => {
    const cwd = await project();
    await startService(cwd);
    await asked(['add', 'Broken', '--id', 'broken'], { cwd });
    await asked(['add', 'Renamed', '--id', 'renamed'], { cwd });
    const graph = path.join(cwd, '.workgraph/graph.jsonl');
    await until('the snapshot to follow', () => textOf(graph).includes('"renamed"'));
    const edited = textOf(graph).replace('"id":"broken"', '"id":broken').replace('"Renamed"', '"By hand"');
    writeFileSync(graph, edited);
    await until('it to be told', () => /Z graph\.jsonl line 1: /.test(log(cwd)));
    expect(await asked(['show', 'renamed'], { cwd })).toMatchObject({ title: 'By hand' });
    expect(await asked(['show', 'broken'], { cwd }), 'the last good state').toMatchObject({ title: 'Broken' });
    await asked(['add', 'After it', '--id', 'after-it', '--after', 'broken', '--exec', 'true'], { cwd });
    await asked(['done', 'broken'], { cwd });
    await until('the work to go on', async () => (await statuses(cwd))['after-it'] === 'done');
    expect(log(cwd).match(/Z graph\.jsonl line 1: /g), 'told once').toHaveLength(1);
  },
);

describe('the socket', () => {
  verifies(
    'ipc.responsive',
    'status is answered at once while thousands of tasks start and end, tick after tick',
    async () => {
      const cwd = await project();
      const tasks = Array.from({ length: 3_000 }, (_, number) =>
        JSON.stringify({ kind: 'task', id: `t-${number}`, title: `T ${number}`, status: 'open', exec: 'true' }),
      );
      writeFileSync(path.join(cwd, '.workgraph/graph.jsonl'), `${tasks.join('\n')}\n`);
      await troupe(['list'], { cwd });
      await asked(['trust'], { cwd });
      await startService(cwd, '--max-agents', '8');
      const idle = await project('idle');
      await startService(idle);
      const latency = async (folder: string) => {
        const begun = performance.now();
        await askService(socketOf(folder), { cmd: 'status' }, ANONYMOUS_ASKER);
        return performance.now() - begun;
      };
      const [busyTimes, idleTimes]: [number[], number[]] = [[], []];
      for (let look = 0; look < 60; look++) {
        busyTimes.push(await latency(cwd));
        idleTimes.push(await latency(idle));
      }
      const middle = (times: number[]) => times.sort((left, right) => left - right)[times.length >> 1] ?? 0;
      // Where other work keeps the machine busy, a service that does nothing is late as well; other tests run beside this one.
      expect(middle(busyTimes)).toBeLessThan(Math.max(200, 10 * middle(idleTimes)));
      await asked(['service', 'pause'], { cwd });
    },
  );

  verifies(
    ['service.state', 'sec.socket'],
    'is heard at a place of the person too, which nobody else can reach',
    async () => {
      const cwd = await project();
      const place = path.join(cwd, 'mine', 'here.sock');
      await startService(cwd, '--socket', 'mine/here.sock');
      expect([statSync(path.dirname(place)).mode & 0o777, statSync(place).mode & 0o777]).toEqual([0o700, 0o600]);
      expect(await askService(place, { cmd: 'status' }, ANONYMOUS_ASKER)).toMatchObject({ state: 'answered' });
      expect(readJson(path.join(folderOf(cwd), 'state.json'))).toMatchObject({ socket_path: place });
      const other = await project('other');
      const refused = async (socket: string) => {
        const { code, stderr } = await troupe(['service', 'start', '--socket', socket, '--json'], { cwd: other });
        return [code, JSON.parse(stderr).error.code];
      };
      expect(await refused(place)).toEqual([1, 'socket_in_use']);
      await asked(['service', 'restart'], { cwd });
      expect(await askService(place, { cmd: 'status' }, ANONYMOUS_ASKER)).toMatchObject({ state: 'answered' });
      await asked(['service', 'stop'], { cwd });
      expect(existsSync(place)).toBe(false);
      expect(existsSync(path.dirname(place)), 'a folder of the person stays').toBe(true);
      chmodSync(path.dirname(place), 0o755);
      expect(await refused(place)).toEqual([1, 'unsafe_path']);
      chmodSync(path.dirname(place), 0o700);
      writeFileSync(place, 'mine');
      expect(await refused(place)).toEqual([1, 'unsafe_path']);
      expect(readFileSync(place, 'utf8')).toBe('mine');
      expect(await refused(path.join(cwd, 'x'.repeat(120)))).toEqual([2, 'bad_input']);
    },
  );

  test('has exactly the fields it is said to have', async () => {
    const cwd = await project();
    await startService(cwd);
    const answers = await introduced(cwd, [
      { cmd: 'graph_changed' },
      { cmd: 'status' },
      { cmd: 'agents' },
      { cmd: 'pause' },
      { cmd: 'resume' },
      { cmd: 'reconfigure', max_agents: 2 },
      { cmd: 'reconfigure', max_agents: 0 },
      { cmd: 'spawn' },
      { cmd: 'spawn', task_id: 'nobody' },
      { cmd: 'heartbeat', agent_id: 'agent-1', fence: 1 },
      { cmd: 'kill', agent_id: 'agent-1' },
      { cmd: 'status', colour: 'red' },
      { cmd: 'operation', name: 'task.list', input: {} },
      { cmd: 'operation', name: 'task.list', input: {}, run_token: 'nobody' },
    ]);
    answers.push(...(await introduced(cwd, [{ cmd: 'shutdown' }])));
    expect(answers.map((answer) => (answer['ok'] ? Object.keys(answer).sort().join() : answer['error']))).toEqual([
      'action,ok',
      'agents,coordinator,ok,pid,started_at',
      'agents,ok',
      'ok,paused',
      'ok,paused',
      'executor,executor_missing,max_agents,model,ok,poll_interval',
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining('max_agents') }),
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining('id') }),
      expect.objectContaining({ code: 'unknown_task' }),
      expect.objectContaining({ code: 'stale_attempt' }),
      expect.objectContaining({ code: 'not_found' }),
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining('colour') }),
      'ok,result',
      expect.objectContaining({ code: 'bad_run_token' }),
      'ok,stopping',
    ]);
    const status = answers[1] as { agents: object; coordinator: object };
    expect(Object.keys(status.agents)).toEqual(['alive', 'at_workers', 'idle', 'total']);
    expect(
      Object.keys(status.coordinator)
        .filter((key) => key !== 'executor_missing')
        .sort(),
    ).toEqual([...['executor', 'last_tick', 'max_agents', 'model', 'paused', 'poll_interval', 'tasks_ready', 'ticks']]);
  });

  verifies(
    'ipc.notify',
    'what changes something beside the service tells it; where none is, nobody is told',
    async () => {
      const cwd = await project();
      expect((await troupe(['config', 'set', 'coordinator.model', 'alone'], { cwd })).code).toBe(0);
      const heard: string[] = [];
      const stand = createServer((connection) => {
        connection.setEncoding('utf8').on('data', (text: string) => {
          heard.push(text.trim());
          connection.write('{"ok":true,"action":"coordinator_wake_scheduled"}\n');
        });
      });
      await new Promise<void>((resolve) => stand.listen(socketOf(cwd), resolve));
      onTestFinished(() => new Promise<void>((resolve) => void stand.close(() => resolve())));
      expect((await troupe(['config', 'set', 'coordinator.model', 'heard'], { cwd })).code).toBe(0);
      expect(heard.map((line) => JSON.parse(line).cmd)).toEqual(['graph_changed']);
    },
  );
});

/** Answers to requests that show they are this process's own: runs of other tests may be active on this machine. */
async function introduced(cwd: string, requests: readonly object[]): Promise<Record<string, unknown>[]> {
  const replies: Record<string, unknown>[] = [];
  for (const request of requests) {
    const said = JSON.stringify(request);
    const introduction = await thisProcess({ kind: 'person', name: 'tess' }).introduce(`${said}\n`);
    const [, reply = {}] = await converse(cwd, [introduction?.line.trimEnd() ?? '', said]);
    introduction?.over();
    replies.push(reply);
  }
  return replies;
}
