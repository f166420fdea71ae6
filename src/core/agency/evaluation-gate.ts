import { acceptedOf, EVAL_GATE, VALIDATION } from '#core/graph/acceptance.js';
import type { EventDraft } from '#core/graph/event.js';
import { awaitsScore, failTask, logTask, type Mover } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import type { Evaluation } from './record-evaluation.js';

/** Scores of this source decide; all others are kept and decide nothing. */
const DECIDING = 'llm';

/** Was this the score a task waited for, and is nothing left that it waits for? */
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

/** What the settings say of tasks whose score decides. */
export interface GatePolicy {
  readonly threshold: number;
  /** Also of those without the tag. */
  readonly all: boolean;
}

/**
 * What a score does to its task. One that waits for it fails below the threshold, with the reason; at or above it goes on
 * waiting for the person who reviews it, or for being approved. One that is done already, as nobody made it wait, fails all
 * the same when its score decides. Nothing from any other source.
 */
export function gateEvents(
  view: GraphView,
  evaluation: Evaluation,
  by: Mover,
  now: number,
  policy: GatePolicy | undefined,
): readonly EventDraft[] {
  const task = taskOf(view, evaluation.task_id);
  if (by.fence !== undefined && by.taskId !== `evaluate-${task.id}`) return []; // another run decides nothing here
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
  if (!reviewed) return []; // to be approved, which takes its work over
  return logTask(view, task.id, message, options).events.map((event) => ({
    ...event,
    patch: event.patch.map((patch) => (patch.id === task.id ? { ...patch, unset: ['eval_gate'] } : patch)),
  }));
}

function thresholdOf(task: Task, policy: GatePolicy | undefined): number | undefined {
  const awaited = EVAL_GATE.of(task);
  if (acceptedOf(task)) return undefined; // an approval goes before any score
  if (task.status === 'pending-validation')
    return awaitsScore(task) && typeof awaited === 'number' ? awaited : undefined;
  if (task.status !== 'done' || policy === undefined) return undefined;
  return policy.all || task.tags?.includes('eval-gate') === true ? policy.threshold : undefined;
}

/** Whoever built on a task whose score came too late for them. */
export function startedAfter(view: GraphView, id: string): string[] {
  return [...view.dependents(id)]
    .sort()
    .filter((after) => view.task(after)?.status === 'in-progress')
    .map((after) => `${after} is already running on the rejected work.`);
}
