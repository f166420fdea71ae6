import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { thisProcess } from '#main/asker.js';
import { Engine } from '#main/engine.js';
import { projectAt } from '#main/project.js';
import { askService } from '#surfaces/socket/client.js';
import type { SocketRequest } from '#surfaces/socket/protocol.js';
import { mass } from '../mass.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import {
  clientPid,
  clientProject,
  engine,
  inRun,
  KEY,
  ownSettings,
  runProgramPid,
  runShellPid,
  SILENT,
  say,
  WITH_CLIENT,
} from './client-world.js';
import {
  asked,
  childrenOf,
  endEverything,
  project,
  readJson,
  runsOf,
  socketOf,
  startTime,
  statuses,
  textOf,
  troupe,
  until,
  untilStatus,
} from './program.js';
import { logOf } from './repository-world.js';

const LONG_MS = 60_000;
/** A lease that a test can wait for. */
const PULSE = { beatMs: 100, leaseMs: 600 };

interface Shown {
  readonly task: Record<string, unknown>;
}

const gitIn =
  (cwd: string) =>
  (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], { cwd, encoding: 'utf8' });
const add = (cwd: string, id: string, play: string, ...more: string[]) =>
  asked(['add', `Do it play=${play}`, '--id', id, ...more], { cwd });
const shown = async (cwd: string, id: string) => (await asked<Shown>(['show', id], { cwd })).task;
const result = (cwd: string, run: string) => readJson<Record<string, unknown>>(inRun(cwd, run, 'result.json'));

async function serve(cwd: string, ...flags: string[]): Promise<{ pid: number }> {
  onTestFinished(() => endEverything(cwd));
  return asked(['service', 'start', ...flags], { cwd, env: { ...WITH_CLIENT, ...ownSettings() } });
}

describe('a task without a command', () => {
  verifies(
    ['exec.success', 'dispatch.env', 'sec.env', 'run.registry', 'run.folder'],
    'is done by the client, which is judged by its last event and told what it needs, not more',
    async () => {
      const cwd = await clientProject();
      for (const play of ['success', 'failure', 'liar', 'crash']) await add(cwd, play, play);
      await serve(cwd);
      await untilStatus(cwd, 'success', 'done');
      for (const play of ['failure', 'liar', 'crash']) await untilStatus(cwd, play, 'failed');
      const done = await shown(cwd, 'success');
      expect(done['token_usage']).toMatchObject({ cost_usd: 0.25, input_tokens: 100, output_tokens: 20 });
      expect(done['session_id']).toBe('11111111-2222-4333-8444-555555555555');
      expect((await shown(cwd, 'crash'))['failure_reason']).toMatch(/^Agent exited with code 3/);
      expect((await shown(cwd, 'liar'))['failure_reason']).toMatch(/without reporting that it finished/);
      const run = String(done['assigned']);
      const environment = textOf(inRun(cwd, run, 'seen-environment')).split('\0');
      for (const name of ['WG_TASK_ID=success', `WG_AGENT_ID=${run}`, 'WG_FENCE=1', `ANTHROPIC_API_KEY=${KEY}`])
        expect(environment).toContain(name);
      expect(environment.some((entry) => /^(CLAUDECODE|TROUPE_NODE|XDG_CONFIG_HOME)=/.test(entry))).toBe(false);
      expect(textOf(inRun(cwd, run, 'seen-args'))).not.toContain(KEY);
      for (const file of ['run.json', 'prompt.txt', 'result.json', 'heartbeat.json', 'stream.jsonl'])
        expect(statSync(inRun(cwd, run, file)).mode & 0o777).toBe(0o600);
      const registry = () =>
        readJson<{ agents: Record<string, Record<string, unknown>>; next_agent_id: number }>(
          path.join(cwd, '.workgraph/agents/registry.json'),
        );
      // It is written some time after the last change, of all four runs.
      await until('the registry to tell', () => registry()?.next_agent_id === 5);
      expect(registry()?.agents[run]).toMatchObject({
        ...{ task_id: 'success', fence: 1, executor: 'claude', status: 'done', token_hash: expect.any(String) },
      });
    },
  );

  verifies('wrap.script', 'run.sh holds nothing of the task and does the same when it is started by hand', async () => {
    const cwd = await clientProject();
    await add(cwd, 'a', 'success');
    await serve(cwd);
    await untilStatus(cwd, 'a', 'done');
    const script = inRun(cwd, 'agent-1', 'run.sh');
    expect(textOf(script)).not.toMatch(/play=|Do it|success/);
    const before = result(cwd, 'agent-1');
    const again = spawnSync('bash', [script], {
      encoding: 'utf8',
      cwd: '/',
      env: {
        ...WITH_CLIENT,
        CLAUDECODE: '1',
        WG_TASK_ID: 'a',
        TROUPE_TEST_ROOM: process.env['TROUPE_TEST_ROOM'] ?? '',
      },
    });
    expect(again.status).toBe(0);
    expect(again.stdout).toContain('"subtype":"success"');
    expect(result(cwd, 'agent-1')).toEqual(before);
    expect(textOf(inRun(cwd, 'agent-1', 'seen-environment'))).not.toContain('CLAUDECODE=');
  });

  verifies(
    'exec.kill',
    'what it prints is read to its end, kept in part and without secrets; what it leaves behind ends with it, in sessions of its own too',
    async () => {
      const cwd = await clientProject();
      const plays = { secret: 'secret', garbage: 'garbage', flood: `flood megabytes=${mass(72, 1_000)}` };
      for (const [id, play] of Object.entries({ ...plays, children: 'children' })) await add(cwd, id, play);
      await serve(cwd);
      for (const id of ['secret', 'garbage', 'children']) await untilStatus(cwd, id, 'done');
      const runOf = async (id: string) => String((await shown(cwd, id))['assigned']);
      const secret = await runOf('secret');
      for (const file of ['output.log', 'stream.jsonl', 'result.json', 'run.json', 'run.jsonl', 'prompt.txt'])
        expect(textOf(inRun(cwd, secret, file))).not.toContain(KEY);
      expect(textOf(inRun(cwd, secret, 'output.log'))).toContain('the key is ********');
      expect(textOf(inRun(cwd, secret, 'output.log'))).toContain('my token ********');
      await untilStatus(cwd, 'flood', 'done', 150_000);
      const flood = inRun(cwd, await runOf('flood'), 'output.log');
      expect(statSync(flood).size).toBeLessThanOrEqual(WORK_LIMITS.outputBytes);
      expect(textOf(flood).slice(-60)).toContain('the rest of the output is not kept');
      await until('all to be gone', () => runsOf(cwd).length === 0);
    },
  );

  verifies('fence.identity', 'it acts as itself only by the token it was given', async () => {
    const cwd = await clientProject();
    await add(cwd, 'a', 'reports');
    await add(cwd, 'b', 'another');
    await serve(cwd);
    await untilStatus(cwd, 'a', 'done');
    await untilStatus(cwd, 'b', 'done');
    const [a, b] = [await shown(cwd, 'a'), await shown(cwd, 'b')];
    expect(JSON.stringify(a['log'])).toContain('half way');
    expect(textOf(inRun(cwd, String(b['assigned']), 'said-code')).trim()).toBe('1');
    expect(textOf(inRun(cwd, String(b['assigned']), 'said'))).toContain('is not agent-');
    expect(JSON.stringify(b['log'])).not.toContain('as another');
    // What it cost is known although it reported its task before it said its last word.
    await until('the last word', () =>
      logOf(cwd).some((entry) => entry.op === 'agent_complete' && entry.task_id === 'a'),
    );
    expect((await shown(cwd, 'a'))['token_usage']).toMatchObject({ cost_usd: 0.25 });
    // No service: the command line asks for the same proof.
    await asked(['service', 'stop'], { cwd });
    const forged = await troupe(['log', 'b', 'forged', '--json'], {
      cwd,
      env: { WG_AGENT_ID: String(b['assigned']), WG_TASK_ID: 'b', WG_FENCE: '1', WG_RUN_TOKEN: 'guess' },
    });
    expect(JSON.parse(forged.stdout || forged.stderr).error.code).toBe('bad_run_token');
  });
});

verifies('dispatch.tree', 'in a repository it works in a worktree and on a branch of its own', async () => {
  const cwd = await project();
  const git = gitIn(cwd);
  git('init', '-q', '-b', 'main');
  writeFileSync(path.join(cwd, 'a.txt'), 'a\n');
  git('add', 'a.txt');
  git('commit', '-q', '-m', 'one');
  await asked(['trust'], { cwd, env: ownSettings() });
  await add(cwd, 'a', 'reports');
  await add(cwd, 'light', 'reports', '--exec-mode', 'light');
  await serve(cwd);
  await untilStatus(cwd, 'a', 'done');
  await untilStatus(cwd, 'light', 'done');
  const run = String((await shown(cwd, 'a'))['assigned']);
  const folder = path.join(cwd, '.workgraph/worktrees/a-1');
  expect(textOf(inRun(cwd, run, 'seen-folder')).trim()).toBe(folder);
  const environment = textOf(inRun(cwd, run, 'seen-environment')).split('\0');
  expect(environment).toContain(`WG_WORKTREE_PATH=${folder}`);
  expect(environment.find((line) => line.startsWith('TROUPE_PORT_BASE='))).toMatch(/=1\d{4}$/);
  expect(environment).toContain('WG_BRANCH=wg/a/1');
  const other = String((await shown(cwd, 'light'))['assigned']);
  expect(textOf(inRun(cwd, other, 'seen-folder')).trim()).toBe(cwd);
  expect(git('status', '--porcelain', '--', 'a.txt').stdout).toBe('');
});

describe('when there is no client', () => {
  test('nothing is claimed; why and the log of the service say how to get it', async () => {
    const cwd = await clientProject(['executor = "gemini"']);
    await add(cwd, 'a', 'success');
    const here = await engine(cwd);
    expect(await statuses(cwd)).toEqual({ a: 'open' });
    const [fact] = await asked<{ code: string; text: string }[]>(['why', 'a'], { cwd });
    expect(fact?.code).toBe('executor');
    expect(fact?.text).toMatch(/gemini.*npm install -g @google\/gemini-cli.*troupe executor list/);
    expect(here.notes.filter((note) => note.includes('gemini'))).toHaveLength(1);
    expect(logOf(cwd).some((entry) => entry.op === 'claim')).toBe(false);
  });

  verifies(
    'dispatch.prepare',
    'a run that cannot be prepared leaves its task untouched; why says so, and it begins when it can be',
    async () => {
      const cwd = await clientProject();
      const settings = (isolation: string) =>
        writeFileSync(
          path.join(cwd, '.workgraph/config.toml'),
          `[coordinator]\n${SILENT}\nworktree_isolation = "${isolation}"\n`,
        );
      settings('on');
      await add(cwd, 'a', 'success');
      // As a service leaves it that is killed before anybody claims the task.
      mkdirSync(path.join(cwd, '.workgraph/agents/agent-1'), { recursive: true });
      for (const file of ['prompt.txt', 'run.json', 'run.sh']) writeFileSync(inRun(cwd, 'agent-1', file), '');
      await serve(cwd);
      const why = () => asked<{ code: string; text: string }[]>(['why', 'a'], { cwd });
      await until('it to be refused', async () => JSON.stringify(await why()).includes('prepared'));
      expect(await why()).toEqual([
        expect.objectContaining({
          code: 'executor',
          text: expect.stringMatching(/not a git repository.*troupe spawn a/),
        }),
      ]);
      expect(await shown(cwd, 'a')).toMatchObject({ status: 'open' });
      expect(logOf(cwd).map(({ op }) => op)).toEqual(['add_task']);
      expect(readdirSync(path.join(cwd, '.workgraph/agents')).filter((name) => name.startsWith('agent-'))).toEqual([]);
      const asking = await troupe(['spawn', 'a'], { cwd });
      expect([asking.code, asking.stderr]).toEqual([1, expect.stringContaining('not a git repository')]);

      settings('off');
      await asked(['service', 'reload'], { cwd });
      await untilStatus(cwd, 'a', 'done');
      expect(logOf(cwd).filter(({ op }) => op === 'claim' || op === 'unclaim')).toHaveLength(1);
    },
  );

  verifies(
    'dispatch.spawn',
    'what keeps a run from starting gives its task back and frees what was set aside',
    async () => {
      const cwd = await clientProject(['[clients]', 'sandbox = "on"', '[budget]', 'usd_total = 1.5']);
      const broken = room('broken');
      for (const name of ['bwrap', 'sandbox-exec'])
        writeFileSync(path.join(broken, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
      const here = await engine(cwd);
      vi.stubEnv('PATH', `${broken}:${process.env['PATH']}`);
      await add(cwd, 'a', 'success');
      await until('it to be given back for longer', () => logOf(cwd).filter(({ op }) => op === 'unclaim').length === 2);
      const task = await shown(cwd, 'a');
      expect(task).toMatchObject({ status: 'open' });
      expect(JSON.stringify(task['log'])).toMatch(/could not be started: .* does not work here/);
      expect(here.coordinator.facts().budget?.reserved.size).toBe(0);
      expect(here.coordinator.facts().budget?.spent.usdTotal).toBe(0);
    },
  );
});

describe('ends of all kinds', () => {
  verifies(
    ['zero.agent', 'zero.task'],
    'a client that says nothing is ended, twice, and then its task has failed',
    async () => {
      const cwd = await clientProject();
      await add(cwd, 'a', 'silent');
      await engine(cwd, { terms: { silentMs: 700 } });
      await untilStatus(cwd, 'a', 'failed', LONG_MS);
      expect((await shown(cwd, 'a'))['tags']).toContain('zero-output-circuit-broken');
      expect(logOf(cwd).filter((entry) => entry.op === 'claim')).toHaveLength(2);
      await until('all to be gone', () => runsOf(cwd).length === 0);
    },
  );

  verifies('wrap.timeout', 'a client that goes on for ever without doing anything more is ended', async () => {
    const cwd = await clientProject();
    await add(cwd, 'a', 'slow');
    await engine(cwd, { terms: { idleMs: 700 } });
    await untilStatus(cwd, 'a', 'failed', LONG_MS);
    expect((await shown(cwd, 'a'))['failure_reason']).toMatch(/^Agent did nothing for/);
  });

  verifies(
    'crash.wrapper-child-alive',
    'the run program killed: what it started goes too, and the task is given back',
    async () => {
      const cwd = await clientProject();
      await add(cwd, 'a', 'slow');
      await engine(cwd);
      const client = await clientPid(cwd, 'agent-1');
      process.kill(runProgramPid(cwd, 'agent-1', childrenOf), 'SIGKILL');
      await until('it to be given back', () => logOf(cwd).some((entry) => entry.op === 'unclaim'));
      expect(startTime(client)).toBeUndefined();
      expect(logOf(cwd).find((entry) => entry.op === 'agent_complete')?.detail).toMatchObject({ outcome: 'dead' });
      expect((await shown(cwd, 'a'))['retry_count'] ?? 0).toBe(0);
    },
  );

  verifies(
    ['crash.agent', 'hold.killed'],
    'the client killed by somebody else: its record says so, and that is a death: another attempt begins',
    async () => {
      const cwd = await clientProject();
      await add(cwd, 'a', 'slow');
      await engine(cwd);
      process.kill(await clientPid(cwd, 'agent-1'), 'SIGKILL');
      await clientPid(cwd, 'agent-2');
      expect(result(cwd, 'agent-1')).toMatchObject({ outcome: 'failed', signal: 'SIGKILL' });
      const task = await shown(cwd, 'a');
      expect([task['status'], task['assigned'], task['retry_count'] ?? 0]).toEqual(['in-progress', 'agent-2', 0]);
      expect(JSON.stringify(task['log'])).toContain('agent-1 was ended by SIGKILL, which was not ours');
    },
  );

  verifies(
    ['crash.wrapper-exit-written', 'crash.service-working'],
    'the service killed: the client goes on, ends meanwhile, and is settled from what it left',
    async () => {
      const cwd = await clientProject();
      await add(cwd, 'a', 'slow');
      await add(cwd, 'b', 'slow');
      const { pid } = await serve(cwd);
      await clientPid(cwd, 'agent-1');
      await clientPid(cwd, 'agent-2');
      process.kill(pid, 'SIGKILL');
      say(cwd, 'agent-1', 'go');
      await until('it to end', () => result(cwd, 'agent-1') !== undefined);
      await serve(cwd);
      await untilStatus(cwd, 'a', 'done');
      say(cwd, 'agent-2', 'go');
      await untilStatus(cwd, 'b', 'done');
      expect((await shown(cwd, 'b'))['assigned']).toBe('agent-2');
      expect(logOf(cwd).filter((entry) => entry.op === 'claim')).toHaveLength(2);
    },
  );

  verifies(
    ['fence.refuse', 'lease.terms', 'lease.dead'],
    'worked example 3: stopped past its lease it loses the task, and what it says later is refused and kept',
    async () => {
      const cwd = await clientProject();
      await add(cwd, 'a', 'late');
      await engine(cwd, { pulse: PULSE, terms: { leaseGraceMs: 3_000 }, maxAgents: 1 });
      const client = await clientPid(cwd, 'agent-1');
      const program = runProgramPid(cwd, 'agent-1', childrenOf);
      for (const pid of [client, program]) process.kill(pid, 'SIGSTOP');
      await until('the lease to end', () => logOf(cwd).some((entry) => entry.op === 'unclaim'));
      say(cwd, 'agent-1', 'go');
      process.kill(client, 'SIGCONT');
      await until('it to speak', () => textOf(inRun(cwd, 'agent-1', 'late-code')).trim() !== '');
      expect(textOf(inRun(cwd, 'agent-1', 'late-code')).trim()).toBe('1');
      const refused = textOf(inRun(cwd, 'agent-1', 'refused.jsonl'))
        .trimEnd()
        .split('\n');
      expect(refused.map((line) => JSON.parse(line))).toMatchObject([
        { operation: 'task.log', fence: 1, input: { id: 'a', message: 'late words' } },
        { operation: 'task.done', fence: 1, input: { id: 'a' } },
      ]);
      process.kill(program, 'SIGCONT');
      expect((await shown(cwd, 'a'))['status']).not.toBe('done');
    },
  );

  verifies('crash.machine', 'a run of an earlier life of the machine is dead, whatever its number is now', async () => {
    const cwd = await clientProject();
    await add(cwd, 'a', 'slow');
    const first = await engine(cwd);
    await clientPid(cwd, 'agent-1');
    await first.stop({ killRuns: false });
    const ticket = inRun(cwd, 'agent-1', 'run.jsonl');
    writeFileSync(ticket, readFileSync(ticket, 'utf8').replace(/"boot_id":"[^"]+"/, '"boot_id":"another"'));
    await engine(cwd);
    await until('it to be over', () => logOf(cwd).some((entry) => entry.op === 'agent_complete'));
    expect(logOf(cwd).find((entry) => entry.op === 'agent_complete')?.detail).toMatchObject({ outcome: 'dead' });
    expect(logOf(cwd).map((entry) => entry.op)).toContain('unclaim');
  });
});

describe('a person looks after runs', () => {
  verifies('service.spawn-command', 'agents, kill and spawn', async () => {
    const cwd = await clientProject();
    await add(cwd, 'a', 'deaf');
    await serve(cwd, '--max-agents', '1');
    await clientPid(cwd, 'agent-1');
    await add(cwd, 'b', 'slow');
    const { agent_id } = await asked<{ agent_id: string }>(['spawn', 'b', '--model', 'm-1', '--timeout', '5m'], {
      cwd,
    });
    expect(agent_id).toBe('agent-2');
    await clientPid(cwd, 'agent-2');
    expect(textOf(inRun(cwd, 'agent-2', 'seen-args'))).toContain('\0--model\0m-1\0');
    const { agents } = await asked<{ agents: Record<string, unknown>[] }>(['agents'], { cwd });
    expect(agents).toMatchObject([
      { id: 'agent-1', task_id: 'a', executor: 'claude', status: 'working', pid: expect.any(Number) },
      { id: 'agent-2', task_id: 'b', executor: 'claude', status: 'working' },
    ]);
    const again = await troupe(['spawn', 'b', '--json'], { cwd });
    expect(again.code).toBe(1);
    await asked(['pause', 'b'], { cwd });
    await asked(['kill', 'agent-2'], { cwd });
    await untilStatus(cwd, 'b', 'open');
    await asked(['pause', 'a'], { cwd });
    await asked(['kill', String(agents[0]?.['pid']), '--force'], { cwd });
    await untilStatus(cwd, 'a', 'open');
    await until('all to be gone', () => runsOf(cwd).length === 0);
  });

  test('the service answers programs that speak its lines', async () => {
    const cwd = await clientProject();
    await add(cwd, 'a', 'slow');
    await serve(cwd);
    await clientPid(cwd, 'agent-1');
    const socket = socketOf(cwd);
    const ask = (request: object) =>
      askService(socket, request as SocketRequest, thisProcess({ kind: 'person', name: 'tess' }));
    expect(await ask({ cmd: 'agents' })).toMatchObject({
      state: 'answered',
      result: {
        agents: [{ id: 'agent-1', task_id: 'a', executor: 'claude', status: 'working', uptime: expect.any(Number) }],
      },
    });
    expect(await ask({ cmd: 'heartbeat', agent_id: 'agent-1', fence: 1 })).toMatchObject({
      result: { lease_until: expect.stringMatching(/^20/) },
    });
    await expect(ask({ cmd: 'heartbeat', agent_id: 'agent-1', fence: 0 })).rejects.toMatchObject({
      code: 'stale_attempt',
    });
    await expect(ask({ cmd: 'spawn', task_id: 'a' })).rejects.toMatchObject({ code: 'wrong_status' });
    await asked(['pause', 'a'], { cwd });
    expect(await ask({ cmd: 'kill', agent_id: 'agent-1' })).toMatchObject({ result: { run: 'agent-1', task: 'a' } });
    await untilStatus(cwd, 'a', 'open');
  });

  verifies(
    'sweep.offer',
    'tasks in progress that nobody works on are listed, and given back when somebody says so',
    async () => {
      const cwd = await clientProject();
      await add(cwd, 'a', 'slow');
      await add(cwd, 'mine', 'slow', '--paused');
      const { pid } = await serve(cwd);
      await clientPid(cwd, 'agent-1');
      process.kill(pid, 'SIGKILL');
      expect(await asked(['sweep'], { cwd })).toEqual({ orphans: [], released: [] });
      // All of it at once: a run that could record its end waits for a service to settle it, and is not swept.
      process.kill(-runShellPid(cwd, 'agent-1'), 'SIGKILL');
      await endEverything(cwd);
      expect(textOf(inRun(cwd, 'agent-1', 'run.jsonl'))).not.toContain('"code"');
      const { stdout } = await troupe(['sweep'], { cwd });
      expect(stdout).toMatch(/a +agent-1 +agent-1 is not running/);
      expect(await statuses(cwd)).toMatchObject({ a: 'in-progress' });
      const unmeant = await troupe(['sweep', '--slices', 'slices.yaml', '--yes'], { cwd });
      expect([unmeant.code, unmeant.stderr]).toEqual([2, expect.stringContaining('troupe sweep "GOAL"')]);
      expect(await asked(['sweep', '--dry-run', '--yes'], { cwd })).toMatchObject({ released: [] });
      expect(await asked(['sweep', '--yes'], { cwd })).toMatchObject({ released: ['a'] });
      expect(await statuses(cwd)).toMatchObject({ a: 'open' });
    },
  );
});

verifies(
  ['budget.reserve', 'sec.spawn', 'hold.budget.cap'],
  'under a cap of 1.5 two runs are told 1 and 0.5, and the third begins when one has cost less',
  async () => {
    const cwd = await clientProject(['[budget]', 'usd_total = 1.5']);
    for (const id of ['a', 'b', 'c']) await add(cwd, id, 'slow');
    await engine(cwd);
    for (const run of ['agent-1', 'agent-2']) await clientPid(cwd, run);
    expect(Object.values(await statuses(cwd)).filter((status) => status === 'in-progress')).toHaveLength(2);
    const told = (run: string) => /--max-budget-usd\0([0-9.]+)/.exec(textOf(inRun(cwd, run, 'seen-args')))?.[1];
    expect(['agent-1', 'agent-2'].map(told)).toEqual(['1.0000', '0.5000']);
    const { spend } = await asked<{ spend: object }>(['status', 'work'], { cwd });
    expect(spend).toMatchObject({ usd_total: 0, usd_reserved: 1.5, usd_cap: 1.5 });
    const waiting = Object.entries(await statuses(cwd)).find(([, status]) => status === 'open')?.[0] ?? '';
    const [fact] = await asked<{ code: string }[]>(['why', waiting], { cwd });
    expect(fact?.code).toBe('budget');
    say(cwd, 'agent-1', 'go');
    await clientPid(cwd, 'agent-3');
    expect(told('agent-3')).toBe('0.7500');
  },
);

verifies(
  'hold.budget.cap',
  'a client that ignores what it may spend is ended with the report that passes it',
  async () => {
    const cwd = await clientProject(['[budget]', 'usd_total = 0.5']);
    await add(cwd, 'a', 'spends');
    const here = await engine(cwd);
    await until('the books to say so', () => here.coordinator.facts().budget?.spent.usdTotal === 0.6);
    expect(await statuses(cwd)).toEqual({ a: 'open' });
    expect((await shown(cwd, 'a'))['reserve_next']).toEqual({ usd: 1, tokens: 200_000 });
    const refused = Engine.start({ project: projectAt(await clientProject()), clients: { budgetUsd: 0.01 } });
    await expect(refused).rejects.toMatchObject({
      code: 'budget_spent',
      message: expect.stringContaining('--budget-usd is 0.01'),
    });
  },
);
