import { expect, test } from 'vitest';
import { taskOf } from '#core/graph/task-of.js';
import { CLOSED, workflowMark, workflowOutcome } from '#core/playbooks/outcome.js';
import { graphOf, type TaskFields } from '../graph/graph.js';

const step = (id: string, role: string, more: TaskFields = {}) => ({
  ...{ id, workflow: { id: 'w', run: 'r', node: id, role } },
  ...more,
});
const run = (...tasks: ReturnType<typeof step>[]) => {
  const view = graphOf(...tasks);
  return workflowOutcome(
    view,
    tasks.map(({ id }) => taskOf(view, id)),
  );
};
const done = { status: 'done' } as const;
const failed = { status: 'failed' } as const;
const abandoned = { status: 'abandoned' } as const;
const closed = { ...abandoned, failure_reason: CLOSED };

test('a run stands as its steps do', () => {
  expect(run(step('a', 'run', done), step('b', 'run'))).toBe('running');
  expect(run(step('a', 'run', done), step('e', 'end', done))).toBe('passed');
  expect(run(step('a', 'run', failed), step('e', 'end'))).toBe('running');
  expect(run(step('a', 'run', failed))).toBe('failed');
  expect(run(step('a', 'run', failed), step('e', 'end', done)), 'its end was reached all the same').toBe('passed');
  expect(run(step('a', 'run', failed), step('e', 'end', abandoned))).toBe('failed');
  expect(run(step('a', 'run', failed), step('e', 'end', done), step('f', 'end', abandoned))).toBe('failed');
  expect(run(step('a', 'advice', failed))).toBe('passed');
  expect(run(step('a', 'run', abandoned))).toBe('passed');
  expect(run()).toBe('passed');
});

test('a gate that was given up declines it, unless the whole run was closed', () => {
  expect(run(step('g', 'gate', abandoned), step('b', 'run'))).toBe('declined');
  expect(run(step('g', 'gate', closed), step('b', 'run', done))).toBe('declined');
  expect(run(step('g', 'gate', closed), step('b', 'run'))).toBe('running');
  expect(run(step('g', 'gate', { ...done, failure_reason: CLOSED }), step('b', 'run', done))).toBe('passed');
  expect(run(step('a', 'run', closed))).toBe('declined');
});

test('a gate that failed when its cycle came to its end exhausts it', () => {
  const around = (more: TaskFields) => [
    step('h', 'run', { ...done, after: ['g'], cycle_config: { max_iterations: 2 }, ...more }),
    step('g', 'gate', { ...failed, after: ['h'] }),
    step('b', 'run'),
  ];
  expect(run(...around({ cycle_ended: { reason: 'limit', at: 't' } }))).toBe('exhausted');
  expect(run(...around({}))).toBe('running');
});

test('what waits for a success that will not come has failed, not what something is still at', () => {
  const lost = step('a', 'run', failed);
  const waits = step('b', 'run', { after: ['a'], after_success: ['a'] });
  const behind = step('c', 'run', { after: ['b'] });
  expect(run(lost, waits, behind)).toBe('failed');
  expect(run(step('a', 'run', abandoned), waits)).toBe('failed');
  expect(run(lost, waits, behind, step('d', 'run'))).toBe('running');
  expect(run(lost, waits, step('d', 'run', { status: 'in-progress' }))).toBe('running');
  expect(run(lost, step('b', 'run', { after: ['a'] }))).toBe('running');
});

test('a mark that somebody made unreadable is none', () => {
  const mark = (workflow: unknown) => workflowMark(taskOf(graphOf({ id: 'a', workflow }), 'a'));
  expect(mark({ id: 'w', run: 'r', node: 'a' })).toEqual({ id: 'w', run: 'r', node: 'a' });
  for (const odd of [undefined, 'w', { id: 'w', run: 'r' }, { id: 'w', run: 7, node: 'a' }])
    expect(mark(odd)).toBeUndefined();
});
