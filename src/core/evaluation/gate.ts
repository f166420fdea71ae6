import type { Evaluation } from '#core/evaluation/record.js';
import type { EventDraft } from '#core/graph/event.js';
import { awaitsScore, failTask, logTask, type Mover } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';

/** Scores of this source decide; all others are kept and decide nothing. */
const DECIDING = 'llm';

/** Was this the score a task waited for, and is nothing left that it waits for? */
export function isPassed(view: GraphView, evaluation: Evaluation): boolean {
  const task = view.task(evaluation.task_id);
  const threshold = task?.['eval_gate'];
  return (
    task?.status === 'pending-validation' &&
    typeof threshold === 'number' &&
    evaluation.source === DECIDING &&
    evaluation.score >= threshold &&
    typeof task.verify !== 'string' &&
    task['validation'] !== 'external'
  );
}

/**
 * What a score does to a task that waits for it: below the threshold it fails, with the reason; at or above it goes on waiting
 * for the person who reviews it, or for being approved. Nothing of any other task, nor from any other source.
 */
export function gateEvents(view: GraphView, evaluation: Evaluation, by: Mover, now: number): readonly EventDraft[] {
  const task = taskOf(view, evaluation.task_id);
  if (by.fence !== undefined && by.taskId !== `evaluate-${task.id}`) return []; // another run decides nothing here
  const threshold = task['eval_gate'];
  if (evaluation.source !== DECIDING || !awaitsScore(task) || typeof threshold !== 'number') return [];
  if (task.status !== 'pending-validation') return [];
  const [score, needed] = [evaluation.score.toFixed(2), threshold.toFixed(2)];
  const options = { now, by: { name: 'coordinator' } };
  if (evaluation.score < threshold) {
    return failTask(view, task.id, {
      ...options,
      reason: `evaluation rejected: score ${score} below threshold ${needed}`,
    }).events;
  }
  const said = `evaluation passed: score ${score}, threshold ${needed}`;
  const reviewed = typeof task.verify === 'string' || task['validation'] === 'external';
  if (!reviewed) return []; // to be approved, which takes its work over
  return logTask(view, task.id, said, options).events.map((event) => ({
    ...event,
    patch: event.patch.map((patch) => (patch.id === task.id ? { ...patch, unset: ['eval_gate'] } : patch)),
  }));
}
