import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type LiveRun, newRun } from '#adapters/runs/live-run.js';
import { RunFolder } from '#adapters/runs/run-folder.js';
import { claimedRun, RunRegistry, readRegistry, runNames, strayRun } from '#adapters/runs/run-registry.js';
import { runNumber } from '#core/graph/run-name.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Processes } from '#ports/processes.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const PROCESSES = {
  self: () => ({ host: 'here', boot: 'boot-1', namespace: 'ns-1', pid: 1 }),
  startOf: (pid: number) => (pid === 7 ? 's' : undefined),
  commandOf: () => undefined,
} as unknown as Processes;
const at = (seconds: number) => new Date(seconds * 1_000).toISOString();

function place() {
  const agents = path.join(room('registry'), 'agents');
  mkdirSync(agents);
  const registry = () => new RunRegistry(agents, PROCESSES, 60_000);
  /** A run at work since the tenth second, last seen in the twentieth. */
  const run = (id: string, more: Partial<LiveRun> = {}, executor?: string): LiveRun => ({
    ...newRun(
      { id, taskId: `task-${id}`, fence: 2, startedAt: 10_000, timeoutMs: 5, ...(executor ? { executor } : {}) },
      new RunFolder(agents, id),
      {},
      10_000,
    ),
    seenAt: 20_000,
    ...more,
  });
  const put = (id: string, ...lines: object[]) => {
    mkdirSync(path.join(agents, id), { recursive: true });
    writeFileSync(path.join(agents, id, 'run.jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  };
  return { agents, registry, run, put, file: path.join(agents, 'registry.json') };
}

verifies('run.folder', 'a run in the registry: what it is, and all that is known of it', () => {
  const { registry, run, put, agents } = place();
  const one = registry();
  const bare = {
    ...{ id: 'agent-1', host: 'here', boot_id: 'boot-1', pid_namespace: 'ns-1', task_id: 'task-agent-1' },
    ...{ attempt: 2, fence: 2, executor: 'shell', started_at: at(10), last_heartbeat: at(20), status: 'starting' },
    output_file: path.join(agents, 'agent-1', 'output.log'),
  };
  expect(one.row(run('agent-1'))).toStrictEqual(bare);
  put('agent-1', { pid: 7, start: 's' });
  expect(one.row(run('agent-1'))).toStrictEqual({ ...bare, pid: 7, start_time: 's', status: 'starting' });
  expect(one.row(run('agent-1', { pid: 7 })).status).toBe('working');
  expect(one.row(run('agent-1', { pid: 7, ended: 'stopped' })).status).toBe('stopping');
  expect(one.row(run('agent-1', { pid: 8, alive: false }))).toStrictEqual({ ...bare, pid: 8, status: 'dead' });
  expect(one.row(run('agent-1', { alive: false, exit: { code: 0 } }))).toStrictEqual({ ...bare, status: 'done' });
  expect(one.row(run('agent-1', { alive: false, exit: { code: 1 } })).status).toBe('failed');
  expect(one.row(run('agent-1', { stopped: true })).lease_until).toBe(at(80));
  const record = { model: 'm', worktree: '/tree', branch: 'wg/a/1', token_hash: 'h' };
  const client = run(
    'agent-1',
    {
      record,
      seenAt: 30_000,
      heartbeat: { at: 99_000, turns: 0, toolCalls: 0 },
      result: { sessionId: 's-1' } as never,
    },
    'claude',
  );
  expect(one.row(client)).toStrictEqual({
    ...{ ...bare, ...record, pid: 7, start_time: 's', executor: 'claude', session_id: 's-1' },
    ...{ last_heartbeat: at(30), lease_until: at(90) },
  });
  expect(one.row(run('agent-1', {}, 'claude'))).toMatchObject({ last_heartbeat: at(10), lease_until: at(80) });
  expect(one.row(run('agent-1', { heartbeat: { at: 15_000, turns: 0, toolCalls: 0 } })).last_heartbeat).toBe(at(20));
});

verifies('run.folder', 'the registry is written whole, with whoever is at work and the latest that are over', () => {
  const { registry, run, file, agents } = place();
  const one = registry();
  one.close([run('agent-1')], 5);
  expect(existsSync(file), 'nothing had changed').toBe(false);
  one.over(run('agent-9', { alive: false }), 'failed');
  one.changed(
    () => [],
    () => 0,
  );
  one.close([run('agent-1')], 5);
  const stored = JSON.parse(readFileSync(file, 'utf8'));
  expect(stored).toEqual({
    agents: {
      'agent-9': one.row(run('agent-9', { alive: false, exit: { code: 1 } })),
      'agent-1': one.row(run('agent-1')),
    },
    next_agent_id: 5,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(agents)).toEqual(['registry.json']);
  const next = registry();
  next.changed(
    () => [],
    () => 0,
  );
  next.close([], 6);
  const read = readRegistry(agents);
  expect([read.rows.map(({ id }) => id), read.next], 'who was at work then is not known to be over').toEqual([
    ['agent-9'],
    6,
  ]);
});

test('so many that are over are remembered, the latest of them, each once', () => {
  const { registry, run, agents } = place();
  const one = registry();
  for (let number = 1; number <= WORK_LIMITS.registryEnded; number++) one.over(run(`agent-${number}`), 'done');
  one.over(run('agent-1'), 'failed');
  const ids = () => {
    one.changed(
      () => [],
      () => 0,
    );
    one.close([], 1);
    return readRegistry(agents).rows.map(({ id }) => id);
  };
  expect(ids()).toHaveLength(WORK_LIMITS.registryEnded);
  expect(ids().at(-1)).toBe('agent-1');
  one.over(run('agent-1000'), 'done');
  expect(ids().slice(0, 1)).toEqual(['agent-3']);
  expect(ids().slice(-2)).toEqual(['agent-1', 'agent-1000']);
});

test('a folder that is no place for it stops nobody', () => {
  const { registry, agents } = place();
  const one = registry();
  rmSync(agents, { recursive: true });
  symlinkSync(room('elsewhere'), agents);
  one.changed(
    () => [],
    () => 0,
  );
  one.close([], 1);
  expect(readdirSync(agents)).toEqual([]);
});

test('what a registry says is believed as far as it can be understood', () => {
  const { file, agents } = place();
  const row = { id: 'agent-1', task_id: 'a', status: 'done', started_at: 't', executor: 'shell' };
  const read = (value: unknown) => {
    writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value));
    return readRegistry(agents);
  };
  expect(readRegistry(agents)).toEqual({ rows: [], next: 1 });
  expect(read({ agents: { 'agent-1': row }, next_agent_id: 4 })).toEqual({ rows: [row], next: 4 });
  for (const field of Object.keys(row))
    expect(read({ agents: { x: { ...row, [field]: 7 }, y: row, z: null } }).rows, field).toEqual([row]);
  for (const odd of ['half', '[]', { agents: [row] }, { agents: null }, { agents: 'x' }])
    expect(read(odd)).toEqual({ rows: [], next: 1 });
  for (const next of ['4', 1.5, 2 ** 60, null]) expect(read({ next_agent_id: next }).next).toBe(1);
  rmSync(file);
  mkdirSync(file);
  expect(() => readRegistry(agents)).toThrow('EISDIR');
});

test('the number in the name of a run, and which folders are runs', () => {
  const { agents, put } = place();
  const names = ['agent-1', 'agent-123456789', 'agent-0', 'agent-1234567890', 'agent-x', 'my-agent-1', 'agent-1x', ''];
  expect(names.map(runNumber)).toEqual([1, 123_456_789, 0, 0, 0, 0, 0, 0]);
  for (const name of ['agent-1', 'agent-12', 'agent-0', 'git-hooks']) put(name);
  expect(runNames(agents).sort()).toEqual(['agent-1', 'agent-12']);
});

verifies('run.folder', 'the run of a claim is what lies in its folder, unless that is the run of another', () => {
  const { agents, put } = place();
  const claim = { run: 'agent-1', taskId: 'a', fence: 2, startedAt: 5 };
  const found = (more: object = {}) => {
    const run = claimedRun(agents, { ...claim, ...more }, 5);
    return run && { ...run.plan, requested: run.requested, told: run.ended, record: run.record };
  };
  const plan = { id: 'agent-1', taskId: 'a', fence: 2, startedAt: 5, timeoutMs: WORK_LIMITS.taskTimeoutMs };
  expect(found()).toEqual({ ...plan, requested: false, told: undefined, record: {} });
  expect(found({ run: 'ann' })).toBeUndefined();
  const ticket = {
    task_id: 'a',
    fence: 2,
    started_at: 9,
    timeout_ms: 70,
    executor: 'claude',
    pid: 7,
    start: 's',
    token_hash: 'h',
  };
  put('agent-1', ticket, { told_to_end: 'stopped' });
  expect(found()).toEqual({
    ...{ ...plan, startedAt: 9, timeoutMs: 70, executor: 'claude', requested: false, told: 'stopped', record: ticket },
  });
  const run = claimedRun(agents, claim, 5);
  put('agent-1', { ...ticket, token_hash: 'another' });
  expect(run?.folder.record(), 'it has to prove itself from then on').toBeUndefined();
  for (const other of [{ task_id: 'b' }, { fence: 3 }]) {
    put('agent-1', { ...ticket, ...other });
    expect(found(), JSON.stringify(other)).toBeUndefined();
  }
});

verifies('run.folder', 'a run at work that nobody has claimed is one that has a record, a process and no end', () => {
  const { agents, put } = place();
  const ticket = { id: 'agent-1', task_id: 'a', fence: 2, started_at: 9, timeout_ms: 70, pid: 7, start: 's' };
  const found = (...lines: object[]) => {
    put('agent-1', ...lines);
    return strayRun(agents, 'agent-1', PROCESSES, 5)?.plan;
  };
  expect(found(ticket)).toEqual({ id: 'agent-1', taskId: 'a', fence: 2, startedAt: 9, timeoutMs: 70 });
  expect(found(ticket, { code: 0 })).toBeUndefined();
  expect(found({ ...ticket, start: 'another' })).toBeUndefined();
  expect(found({ ...ticket, fence: undefined })).toBeUndefined();
  expect(found({ ...ticket, pid: undefined })).toBeUndefined();
  expect(strayRun(agents, 'agent-2', PROCESSES, 5)).toBeUndefined();
});
