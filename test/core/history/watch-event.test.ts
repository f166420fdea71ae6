import { expect, test } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { matchesFilter, WATCH_TYPES, watchEvent, watchType, watchTypePrefix } from '#core/history/watch-event.js';
import { verifies } from '../../verifies.js';

function entry(op: string, extra: Partial<Entry> = {}): Entry {
  return { seq: 7, id: 'x', timestamp: '2026-03-21T10:00:00.000Z', op, task_id: 'a', patch: [], ...extra };
}
const to = (status: string) => [{ id: 'a', set: { status } }];

verifies('graph.watch.types', 'every operation has the type that outside programs know it by', () => {
  const named = {
    add_task: 'task.created',
    claim: 'task.started',
    done: 'task.completed',
    approve: 'task.completed',
    fail: 'task.failed',
    retry: 'task.retried',
    evaluate: 'evaluation.recorded',
    evaluate_record: 'evaluation.recorded',
    evaluate_auto: 'evaluation.recorded',
    spawn_agent: 'agent.spawned',
    agent_complete: 'agent.completed',
    cycle_iterate: 'cycle.iterate',
    cycle_restart: 'cycle.restart',
    cycle_end: 'cycle.end',
  };
  for (const [op, type] of Object.entries(named)) expect(watchType(entry(op)), op).toBe(type);
  const moves = {
    submit: 'pending-validation',
    wait: 'waiting',
    reject: 'open',
    unclaim: 'open',
    abandon: 'abandoned',
    block: 'blocked',
    reopen: 'open',
  };
  for (const [op, status] of Object.entries(moves)) {
    expect(watchType(entry(op, { patch: to(status) })), op).toBe(`task.${status}`);
  }
  for (const op of ['edit', 'link', 'unlink', 'assign', 'artifact_add', 'pause', 'publish', 'constructor', 'log']) {
    expect(watchType(entry(op)), op).toBe('task.changed');
  }
  const { task_id: _none, ...aboutNone } = entry('replay', { patch: [...to('open'), { id: 'b', set: {} }] });
  expect(watchType(aboutNone)).toBe('graph.changed');
  const { task_id: _neither, ...hand } = entry('hand_edit', { patch: to('open') });
  expect(watchEvent(hand)).toMatchObject({ type: 'task.changed', task_id: 'a' });
});

test('an entry says that it removed its task; about one that it does not change it says nothing', () => {
  expect(watchEvent(entry('remove', { patch: [{ id: 'a', del: true }] }))).toMatchObject({ data: { removed: true } });
  const told = watchEvent(entry('evaluate', { patch: [{ id: 'b', set: { status: 'done' } }] }));
  expect(told).toMatchObject({ type: 'evaluation.recorded', task_id: 'a' });
  expect(JSON.stringify(told)).not.toContain('done');
});

verifies(
  'graph.watch.lines',
  'a line holds the type, the time, the task, what was done, and seq; nothing of the request',
  () => {
    const done = entry('done', {
      actor: 'agent-7',
      detail: { exit_code: 0, request: { id: 'r', result: {} } },
      patch: [
        { id: 'a', set: { status: 'done', completed_at: 'now' }, log_at: 0, log: [{ timestamp: '', message: 'Done' }] },
      ],
    });
    expect(watchEvent(done)).toEqual({
      type: 'task.completed',
      timestamp: '2026-03-21T10:00:00.000Z',
      task_id: 'a',
      data: { op: 'done', actor: 'agent-7', status: 'done', fields: ['completed_at'], message: 'Done', exit_code: 0 },
      seq: 7,
    });
  },
);

verifies('graph.watch.filter', 'groups, types and beginnings of ids choose; both must hold', () => {
  const types = (...words: string[]) => words.map((word) => watchTypePrefix(word) ?? 'unknown');
  const done = entry('done', { task_id: 'parser-1', patch: [{ id: 'parser-1', set: { status: 'done' } }] });
  const spawned = entry('spawn_agent', { task_id: 'tests' });
  expect(matchesFilter(done, { types: [] })).toBe(true);
  expect(matchesFilter(done, { types: types('task_state') })).toBe(true);
  expect(matchesFilter(spawned, { types: types('task_state') })).toBe(false);
  expect(matchesFilter(spawned, { types: types('task_state', 'agent') })).toBe(true);
  expect(matchesFilter(entry('evaluate'), { types: types('evaluation') })).toBe(true);
  expect(matchesFilter(done, { types: types('all') })).toBe(true);
  expect(matchesFilter(done, { types: types('task.completed') })).toBe(true);
  expect(matchesFilter(done, { types: types('task.failed') })).toBe(false);
  expect(matchesFilter(done, { types: [], task: 'parser' })).toBe(true);
  expect(matchesFilter(done, { types: [], task: 'arser' })).toBe(false);
  expect(matchesFilter(done, { types: types('agent'), task: 'parser' })).toBe(false);
  const many = {
    ...entry('replay'),
    patch: [
      { id: 'x', set: {} },
      { id: 'parser-2', set: {} },
    ],
  };
  expect(matchesFilter(many, { types: [], task: 'parser' })).toBe(true);
  for (const word of ['task', 'task.', 'task.comp', 'toString', ''])
    expect(watchTypePrefix(word), word).toBeUndefined();
});

test('a change of many tasks names no more of them than a line can hold', () => {
  const { task_id: _none, ...many } = entry('hand_edit', {
    patch: Array.from({ length: 500 }, (_, index) => ({ id: `t${index}`, set: {} })),
  });
  const { data } = watchEvent(many);
  expect(data['tasks']).toHaveLength(100);
  expect(data['task_count']).toBe(500);
});

test('the types there are stand in order, each once', () => {
  expect(WATCH_TYPES).toEqual([...new Set(WATCH_TYPES)].sort());
  expect(WATCH_TYPES).toEqual(
    expect.arrayContaining(['task.created', 'task.waiting', 'task.changed', 'graph.changed']),
  );
});
