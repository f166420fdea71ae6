import { acceptedOf, EVAL_GATE, VALIDATION } from '#core/graph/acceptance.js';
import type { EventDraft } from '#core/graph/event.js';
import { awaitsScore, failTask, logTask, type Mover } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import type { Evaluation } from './record-evaluation.js';

/** Only scores of this source decide about a task; others are only recorded. */
const DECIDING = 'llm';

/** Whether this score passes the gate of its task and nothing else holds the task back. */
export function isPassed(view: GraphView, evaluation: Evaluation): boolean {
  const task = view.task(evaluation.task_id);
  const threshold = EVAL_GATE.of(task);
  return (
    task?.status === 'pending-validation' &&
    typeof threshold === 'number' &&
    evaluation.source === DECIDING &&
    evaluation.score >= threshold &&
    typeof task.verify !== 'string' &&
    VALIDATION.of(task) !== 'external'
  );
}

/** Settings of the evaluation gate. */
export interface GatePolicy {
  readonly threshold: number;
  /** Whether tasks without the tag are gated too. */
  readonly all: boolean;
}

/**
 * Events that follow from a score. A task that waits for a score fails below the threshold, with the reason; at or
 * above it, it goes on waiting for its reviewer or for approval. A task that is done already, because it was not gated,
 * fails too when a deciding score is too low. Scores of other sources have no effect.
 */
export function gateEvents(
  view: GraphView,
  evaluation: Evaluation,
  by: Mover,
  now: number,
  policy: GatePolicy | undefined,
): readonly EventDraft[] {
  const task = taskOf(view, evaluation.task_id);
  if (by.fence !== undefined && by.taskId !== `evaluate-${task.id}`) return []; // another run may not decide here
  const threshold = thresholdOf(task, policy);
  if (evaluation.source !== DECIDING || threshold === undefined) return [];
  const [score, needed] = [evaluation.score.toFixed(2), threshold.toFixed(2)];
  const options = { now, by: { name: 'coordinator' } };
  if (evaluation.score < threshold) {
    return failTask(view, task.id, {
      ...options,
      rejected: task.status === 'done',
      reason: `evaluation rejected: score ${score} below threshold ${needed}`,
    }).events;
  }
  if (task.status === 'done') return [];
  const message = `evaluation passed: score ${score}, threshold ${needed}`;
  const reviewed = typeof task.verify === 'string' || VALIDATION.of(task) === 'external';
  if (!reviewed) return []; // to be approved, which integrates its work
  return logTask(view, task.id, message, options).events.map((event) => ({
    ...event,
    patch: event.patch.map((patch) => (patch.id === task.id ? { ...patch, unset: ['eval_gate'] } : patch)),
  }));
}

function thresholdOf(task: Task, policy: GatePolicy | undefined): number | undefined {
  const awaited = EVAL_GATE.of(task);
  if (acceptedOf(task)) return undefined; // an approval overrides any score
  if (task.status === 'pending-validation')
    return awaitsScore(task) && typeof awaited === 'number' ? awaited : undefined;
  if (task.status !== 'done' || policy === undefined) return undefined;
  return policy.all || task.tags?.includes('eval-gate') === true ? policy.threshold : undefined;
}

/** Warnings for dependents that already run on the rejected work. */
export function startedAfter(view: GraphView, id: string): string[] {
  return [...view.dependents(id)]
    .sort()
    .filter((after) => view.task(after)?.status === 'in-progress')
    .map((after) => `${after} is already running on the rejected work.`);
}
