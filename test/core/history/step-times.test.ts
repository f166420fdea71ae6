import { expect, test } from 'vitest';
import type { Patch } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import { StepTimes } from '#core/history/step-times.js';
import { verifies } from '../../verifies.js';

const task = (more: Partial<Task> = {}): Task => ({ kind: 'task', id: 'dev', title: 'Dev', status: 'open', ...more });

/** Times after entries at minutes of one hour. */
function timesAfter(...entries: readonly (readonly [minute: number, op: string, set: Record<string, unknown>])[]) {
  const times = new StepTimes();
  for (const [index, [minute, op, set]] of entries.entries()) {
    const patch: Patch[] = [op === 'add_task' ? { id: 'dev', put: set } : { id: 'dev', set }];
    const timestamp = at(minute);
    times.add({ seq: index + 1, id: String(index), timestamp, op, task_id: 'dev', actor: 'Ripley', patch });
  }
  return times;
}
const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, '0')}:00Z`;

verifies('web.run', 'a step has the times of its work and its review, with each verdict, who gave it and why', () => {
  const times = timesAfter(
    [0, 'add_task', { status: 'open' }],
    [2, 'claim', { status: 'in-progress' }],
    [3, 'log', { checkpoint: 'half' }],
    [5, 'submit', { status: 'pending-validation' }],
    [9, 'reject', { status: 'open', failure_reason: 'no test' }],
    [10, 'claim', { status: 'in-progress' }],
    [20, 'submit', { status: 'pending-validation' }],
    [21, 'approve', { status: 'done' }],
  );
  expect(times.of(task({ status: 'done' }), false)).toEqual({
    spans: [
      { state: 'in-progress', from: at(2), to: at(5) },
      { state: 'pending-validation', from: at(5), to: at(9) },
      { state: 'in-progress', from: at(10), to: at(20) },
      { state: 'pending-validation', from: at(20), to: at(21) },
    ],
    verdicts: [
      { at: at(9), verdict: 'rejected', by: 'Ripley', reason: 'no test' },
      { at: at(21), verdict: 'approved', by: 'Ripley' },
    ],
  });
  expect(times.endOf('dev')).toBe(at(21));
  expect(times.endOf('other')).toBeUndefined();
});

test('a gate is judged by its own end, a step that failed by its reason; work that goes on has no end', () => {
  const gate = timesAfter([0, 'add_task', { status: 'open' }], [4, 'done', { status: 'done' }]);
  expect(gate.of(task(), true)).toEqual({ spans: [], verdicts: [{ at: at(4), verdict: 'passed' }] });
  expect(gate.of(task(), false).verdicts).toEqual([]);
  const failed = timesAfter(
    [1, 'claim', { status: 'in-progress' }],
    [2, 'fail', { status: 'failed', failure_reason: 'no key' }],
    [3, 'retry', { status: 'open' }],
    [4, 'claim', { status: 'in-progress' }],
  );
  expect(failed.of(task(), false)).toEqual({
    spans: [
      { state: 'in-progress', from: at(1), to: at(2) },
      { state: 'in-progress', from: at(4) },
    ],
    verdicts: [{ at: at(2), verdict: 'failed', by: 'Ripley', reason: 'no key' }],
  });
});

test('the phase of a crew has the outcomes of its gate; a task from elsewhere has the times that it brought', () => {
  const times = new StepTimes();
  const entry = { id: 'x', op: 'formation_phase', patch: [] };
  times.add({ ...entry, seq: 1, timestamp: at(1), detail: { run: 'r', phase: 'qa', failed: true } });
  times.add({ ...entry, seq: 2, timestamp: at(2), detail: { run: 'r', phase: 'qa' } });
  times.add({ ...entry, seq: 3, timestamp: at(3), op: 'archive', patch: [{ id: 'gone', del: true }] });
  const qa = task({ id: 'r-qa', started_at: at(0), completed_at: at(1) });
  expect(times.of(qa, false)).toEqual({
    spans: [{ state: 'in-progress', from: at(0), to: at(1) }],
    verdicts: [
      { at: at(1), verdict: 'not-passed' },
      { at: at(2), verdict: 'passed' },
    ],
  });
});
