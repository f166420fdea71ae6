import { lstatSync, mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { verifies } from '../verifies.js';
import { AT, original } from './original-project.js';

const idsOf = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);

verifies('in.wg', 'under its name the original’s lists are bare, with its names of fields', async () => {
  const { wg, json } = original();
  const row = { id: 'check', title: 'Check', status: 'open', priority: 10, assigned: null, after: ['build'] };
  expect((await json('list', '--status', 'open'))[0]).toEqual(row);
  const [build] = await json('list', '--status', 'done');
  expect(build).toEqual({ ...row, id: 'build', title: 'Build', status: 'done', priority: 50, after: [], tags: ['ci'] });
  expect(idsOf(await json('list'))).toEqual(['build', 'check', 'later', 'ship']);
  expect(idsOf(await json('list', '--all'))).toContain('.flip-ship');
  const ready = { id: 'check', title: 'Check', assigned: null, estimate: null, priority: 10, ready: true };
  const waits = { ...ready, id: 'later', title: 'Later', ready: false, ready_after: '2999-01-01T00:00:00Z' };
  expect(await json('ready')).toEqual([ready, waits]);
  expect(await json('blocked', 'ship')).toEqual([{ id: 'check', title: 'Check', status: 'open' }]);
  expect(await json('log', 'ship', '--list')).toEqual([{ timestamp: AT, actor: 'eve', message: 'hm' }]);
  expect(await json('agents')).toEqual([]);
  expect(await json('agents', '--alive')).toEqual([]);
  expect(await json('runs', 'list')).toEqual([]);
  // As the original prints it, for scripts that look for a line.
  expect((await wg('ready', '--json')).out).toMatch(/^\[\n {2}\{\n {4}"id": "check",\n/);
});

verifies('in.wg', 'one task is told with its neighbours, its blockers, its context and its history', async () => {
  const { json } = original();
  expect(await json('show', 'ship')).toEqual({
    ...{ id: 'ship', title: 'Ship', status: 'open', priority: 10 },
    ...{ after: [{ id: 'check', status: 'open' }], before: [{ id: '.flip-ship', status: 'open' }] },
    log: [{ timestamp: AT, actor: 'eve', message: 'hm' }],
  });
  const check = { id: 'check', title: 'Check', status: 'open' };
  expect(await json('why-blocked', 'ship')).toEqual({
    ...{ task: { id: 'ship', title: 'Ship', status: 'open' }, is_blocked: true, total_blockers: 1 },
    blocking_chain: { id: 'ship', status: 'Open', after: [{ id: 'check', status: 'Open', after: [] }] },
    root_blockers: [{ ...check, assigned: null, is_ready: true }],
  });
  expect(await json('context', 'check')).toEqual({
    ...{ task_id: 'check', task_title: 'Check', declared_inputs: ['out/app', 'spec.md'] },
    available_context: [{ task_id: 'build', task_title: 'Build', status: 'done', artifacts: ['out/app'] }],
    missing_inputs: ['spec.md'],
  });
  expect(await json('context', 'build', '--dependents')).toEqual({
    ...{ task_id: 'build', artifacts: ['out/app'], deliverables: [] },
    dependents: [{ task_id: 'check', title: 'Check', needs: ['out/app', 'spec.md'] }],
  });
  await json('log', 'ship', 'on it');
  const trace = await json('trace', 'show', 'ship');
  expect(trace).toMatchObject({ id: 'ship', title: 'Ship', status: 'open', agent_runs: [] });
  expect(trace.operations.at(-1)).toEqual({
    ...{ timestamp: expect.any(String), op: 'log', actor: 'tess', task_id: 'ship', detail: { message: 'on it' } },
  });
  expect(trace.summary).toEqual({ operation_count: trace.operations.length, agent_run_count: 0 });
  const tree = await json('trace', 'show', 'check', '--recursive');
  expect(idsOf(tree.tasks)).toEqual(['check', 'ship', '.flip-ship', '.evaluate-ship']);
  expect(tree).toMatchObject({ root_id: 'check', total_tasks: 4 });
  const grown = { id: 'check', title: 'Check', status: 'open', assigned: null, artifacts: [] };
  expect(tree.tasks[0]).toEqual({ ...grown, started_at: null, completed_at: null });
});

verifies('in.wg', 'the runs that the original archived are among those of a task', async () => {
  const { folder, json } = original();
  const archive = path.join(folder, '.wg/log/agents/ship/2026-03-01T10:00:00Z');
  mkdirSync(archive, { recursive: true });
  writeFileSync(path.join(archive, 'prompt.txt'), 'Ship it.\nNow.\n');
  const output = '{"type":"assistant"}\n{"type":"tool_use"}\nplain\n{"type":"result"}\n';
  writeFileSync(path.join(archive, 'output.txt'), output);
  const { agent_runs: runs, summary } = await json('trace', 'show', 'ship');
  expect(runs).toEqual([
    {
      ...{ timestamp: AT, prompt_bytes: 14, output_bytes: output.length, prompt_lines: 2, output_lines: 4 },
      ...{ prompt: 'Ship it.\nNow.\n', output, tool_calls: 1, turns: 1 },
    },
  ]);
  const totals = { total_tool_calls: 1, total_turns: 1, total_output_bytes: output.length };
  expect(summary).toEqual({ operation_count: 0, agent_run_count: 1, ...totals });
  expect(await json('log', 'ship', '--agent')).toEqual([{ timestamp: AT, prompt: 'Ship it.\nNow.\n', output }]);
  expect(await json('log', 'check', '--agent')).toEqual([]);
  const hour = { duration_secs: 3_605, duration_human: '1h 0m' };
  expect((await json('trace', 'show', 'build')).summary).toEqual({ ...hour, operation_count: 0, agent_run_count: 0 });
});

verifies('in.wg', 'replays, their snapshots, cycles and the service are told in its shapes', async () => {
  const { json, serve } = original([
    { id: 'a', title: 'A', status: 'failed', after: ['b'], cycle_config: { max_iterations: 2 } },
    { id: 'b', title: 'B', status: 'open', after: ['a'] },
    { id: 'c', title: 'C', status: 'done' },
  ]);
  const cycles = await json('cycles');
  expect(cycles).toMatchObject({ cycle_count: 1, cycles: [{ members: ['a', 'b'], member_count: 2, reducible: true }] });
  const states = [
    { id: 'a', status: 'failed' },
    { id: 'b', status: 'open' },
  ];
  expect(cycles.cycles[0].member_statuses).toEqual(states);
  const parts = { reset_tasks: ['a', 'b'], preserved_tasks: ['c'] };
  const plan = { run_id: '(dry run)', ...parts, plan_only: true };
  expect(await json('replay', '--failed-only', '--plan-only')).toEqual(plan);
  const run = await json('replay', '--failed-only', '--model', 'opus');
  expect(run).toEqual({ run_id: 'run-001', model: 'opus', ...parts, plan_only: false });
  const nothing = { message: 'No tasks match the replay criteria', reset_tasks: [] };
  expect(await json('replay', '--failed-only')).toEqual(nothing);
  const meta = { id: 'run-001', timestamp: expect.any(String), model: 'opus', ...parts };
  expect(await json('runs', 'list')).toEqual([{ ...meta, filter: '--failed-only --model opus' }]);
  expect(await json('runs', 'show', 'run-001')).toMatchObject(meta);
  const change = { id: 'a', snapshot_status: 'failed', current_status: 'open', change: 'status_changed' };
  expect(await json('runs', 'diff', 'run-001')).toEqual({ run_id: 'run-001', changes: [change], total_changes: 1 });
  expect(await json('runs', 'restore', 'run-001')).toEqual({
    ...{ restored_from: 'run-001', safety_snapshot: 'run-002', timestamp: expect.any(String) },
  });
  const saved = await json('runs', 'show', 'run-002');
  expect(saved.filter).toBe('pre-restore safety snapshot (restoring run-001)');
  expect(await json('service', 'status')).toEqual({ status: 'not_running' });
  const coordinator = { paused: false, max_agents: 4, ticks: 2, tasks_ready: 1 };
  serve({ pid: 7, started_at: AT, agents: { alive: 1, idle: 0, total: 2, at_workers: 0 }, coordinator });
  expect(await json('service', 'status')).toMatchObject({
    ...{ status: 'running', pid: 7, started_at: AT, agents: { alive: 1, idle: 0, total: 2 } },
    coordinator: { enabled: true, ...coordinator, agents_alive: 1 },
  });
});

verifies('in.wg', 'an unknown dependency is refused without --allow-phantom', async () => {
  const { wg, json } = original();
  const refused = await wg('add', 'New', '--after', 'ghost');
  expect([refused.code === 0, refused.err]).toEqual([false, expect.stringContaining('ghost')]);
  expect((await wg('add', 'New', '--after', 'ghost', '--allow-phantom')).code).toBe(0);
  expect((await json('show', 'new')).after).toEqual([{ id: 'ghost', status: 'open' }]);
  expect((await wg('edit', 'new', '--add-after', 'wraith')).code).not.toBe(0);
  expect((await wg('edit', 'new', '--add-after', 'wraith', '--allow-phantom')).code).toBe(0);
  expect((await wg('add', 'Draft', '--after', 'unborn', '--paused')).code).toBe(0);
  expect(await json('show', 'draft')).toMatchObject({ after: [{ id: 'unborn', status: 'open' }], paused: true });
  // The words of a message are nobody's flags.
  await wg('log', 'new', '--', '--allow-phantom');
  expect((await json('log', 'new')).at(-1).message).toBe('--allow-phantom');
});

verifies('in.wg', 'an abandoned task takes its open tasks about it with it, and no other', async () => {
  const { wg, json } = original();
  await wg('abandon', 'ship', '--reason', 'over');
  const states = new Map(
    (await json('list', '--all')).map((task: { id: string; status: string }) => [task.id, task.status]),
  );
  expect(Object.fromEntries(states)).toMatchObject({
    ...{ ship: 'abandoned', '.evaluate-ship': 'abandoned', '.flip-ship': 'abandoned' },
    ...{ '.assign-other': 'open', check: 'open' },
  });
});

verifies('in.wg', 'a graph in .wg is taken over: by any command under its name, by init under ours', async () => {
  const { folder, wg } = original();
  const first = await wg('list', '--dir', path.join(folder, '.wg'));
  expect([first.code, first.err]).toEqual([0, expect.stringContaining('is called .workgraph now')]);
  expect(readlinkSync(path.join(folder, '.wg'))).toBe('.workgraph');
  expect((await wg('list')).err).not.toContain('is called');
  await wg('add', 'New', '--dir=.wg');
  expect(readFileSync(path.join(folder, '.wg/graph.jsonl'), 'utf8')).toContain('"id":"new"');
  const other = original();
  expect((await other.troupe('init')).code).toBe(0);
  expect(idsOf(await other.json('list', '--status', 'done'))).toEqual(['build']);
});

verifies('in.wg', 'a link in the place of .wg is not followed, and a graph of ours is left alone', async () => {
  const elsewhere = original();
  const { folder, wg } = original([]);
  symlinkSync(path.join(elsewhere.folder, '.wg'), path.join(folder, '.wg'));
  expect((await wg('list')).code).not.toBe(0);
  expect(lstatSync(path.join(elsewhere.folder, '.wg')).isDirectory()).toBe(true);
  const both = original();
  mkdirSync(path.join(both.folder, '.workgraph'));
  await both.wg('list');
  expect(lstatSync(path.join(both.folder, '.wg')).isDirectory()).toBe(true);
  const fresh = original([]);
  expect((await fresh.wg('init', '--dir', path.join(fresh.folder, '.wg'))).code).toBe(0);
  expect(readFileSync(path.join(fresh.folder, '.wg/graph.jsonl'), 'utf8')).toBe('');
});
