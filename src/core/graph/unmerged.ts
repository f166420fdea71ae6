import type { Plan } from '#core/graph/event.js';
import { type Evidence, withEvidence } from '#core/graph/evidence.js';
import { type Moved, type MoveOptions, move, moved } from '#core/graph/lib/move.js';
import { checkDone, checkFence } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { anything, taskField } from '#core/graph/task-field.js';
import { taskOf } from '#core/graph/task-of.js';
import { timeOf } from '#core/graph/time.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import { isUnmerged } from './attempts.js';

const REPORTED = taskField('reported', anything);

/** Report of an attempt whose work is not merged yet. */
interface Report {
  readonly at: string;
  /** Fence of the claim that reported; under a later claim the report is void. */
  readonly fence: number;
  readonly converged?: true;
}

/**
 * In-progress → in-progress, reported as done: the work is in a worktree that its run may still write to. The task is
 * done when the run has ended and its work is merged, so no dependent starts on files that lack it.
 */
export function reportTask(
  view: GraphView,
  id: string,
  options: MoveOptions & { readonly converged?: boolean | undefined; readonly evidence: Evidence },
): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  checkDone(view, task, options);
  if (attemptReport(task)) return { events: [], result: { id, status: task.status, changed: false, warnings: [] } };
  const report: Report = {
    at: timestamp(options.now),
    fence: task.fence ?? 0,
    ...(options.converged ? { converged: true as const } : {}),
  };
  const message = 'Reported as done; its work is merged when its run ends';
  const event = move(task, 'report', options, { reported: { ...report } }, [], message);
  const warning = `${id} is done when this run has ended and its work is merged into wg/integration`;
  const plan = { events: [event], result: moved(id, task.status, [warning]) };
  return withEvidence(plan, id, options.evidence);
}

/** Returns the report of the current attempt, with its time in milliseconds. */
export function attemptReport(
  task: Task | undefined,
): { readonly at: number; readonly converged: boolean } | undefined {
  const report = REPORTED.of(task);
  if (task?.status !== 'in-progress' || !isReport(report) || report.fence !== task.fence) return undefined;
  return { at: timeOf(report.at), converged: report.converged === true };
}

function isReport(value: unknown): value is JsonObject & Report {
  return isJsonObject(value) && typeof value['at'] === 'string' && typeof value['fence'] === 'number';
}

/**
 * → pending-validation, with the reason why the work could not be merged. For a task already in that state, replaces
 * the reason.
 */
export function holdUnmerged(
  view: GraphView,
  id: string,
  options: MoveOptions & {
    readonly reason: string;
    /** Branch that conflicts with work merged meanwhile, as people write it; undefined if there is no conflict. */
    readonly conflict: string | undefined;
    readonly evidence?: Evidence;
  },
): Plan<Moved> {
  const task = taskOf(view, id);
  checkFence(view, task, options.by);
  const set = {
    status: 'pending-validation',
    unmerged: true,
    ...(options.conflict === undefined ? {} : { conflict_branch: options.conflict }),
    failure_reason: options.reason,
    ...(task.assigned === undefined ? { assigned: options.by.name } : {}),
    ...(attemptReport(task)?.converged ? { converge_on_done: true } : {}),
  };
  const detail = { ...options.detail, reason: options.reason };
  const again = isUnmerged(task) && task.failure_reason === options.reason;
  const over = ['reported', 'wait_condition', 'accepted', 'conflict_branch']; // a person decides anew, even if approved
  const event = move(task, 'submit', { ...options, detail }, set, over, again ? undefined : options.reason);
  const plan = { events: [event], result: moved(id, 'pending-validation', [options.reason]) };
  return withEvidence(plan, id, options.evidence ?? {});
}
