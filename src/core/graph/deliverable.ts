// Deliverables of team tasks: the file submitted, its submitter, and its review.
import { type Plan, withFields } from '#core/graph/event.js';
import { type Evidence, withEvidence } from '#core/graph/evidence.js';
import { withinLimit } from '#core/graph/lib/checks.js';
import { doneTask, type Moved, type MoveOptions, type Mover } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { shellWord } from '#kernel/text.js';
import type { Task } from './task.js';
import { record, taskField } from './task-field.js';
import { refusePlanless } from './team-plan.js';
import { isTeamTask } from './team-work.js';

/** A submitted deliverable as recorded on its task; the text itself is stored with the team. */
export interface Deliverable {
  readonly artifact: string;
  readonly title: string;
  readonly sha256: string;
  /** Summary by the submitter; may be empty. */
  readonly summary: string;
  /** Fence of the claim under which it was submitted. */
  readonly fence: number;
}

const DELIVERABLE = taskField('deliverable', record);

export function deliverableOf(task: Task | undefined): Deliverable | undefined {
  const { artifact, title, sha256, summary, fence } = DELIVERABLE.of(task) ?? {};
  if (typeof artifact !== 'string' || typeof title !== 'string') return undefined;
  if (typeof sha256 !== 'string' || typeof fence !== 'number') return undefined;
  return { artifact, title, sha256, summary: typeof summary === 'string' ? summary : '', fence };
}

/**
 * In-progress → pending review, with a deliverable, by the holder of the current claim. Submitting the same artifact
 * again changes nothing. Errors: those of `checkSubmission` and `checkDone`, `unknown_task`, `too_large`.
 */
export function submitTask(
  view: GraphView,
  id: string,
  deliverable: Omit<Deliverable, 'fence'>,
  options: MoveOptions & { readonly evidence: Evidence },
): Plan<Moved> {
  const task = taskOf(view, id);
  if (deliverableOf(task)?.artifact === deliverable.artifact)
    return { events: [], result: { id, status: task.status, changed: false, warnings: [] } };
  checkSubmission(view, task, options.by);
  withinLimit('log message', deliverable.summary);
  const { evidence, ...move } = options;
  const plan = withEvidence(doneTask(view, id, move), id, evidence);
  return withFields(plan, id, { deliverable: { ...deliverable, fence: task.fence ?? 0 } }, ['review_feedback']);
}

/**
 * Checks whether `by` may submit for the task; called before anything is stored, and again at commit. Errors:
 * `bad_input` for a task without a team, `not_assignee`, `stale_attempt`, `wrong_status`, `plan_required`.
 */
export function checkSubmission(view: GraphView, task: Task, by: Mover): void {
  const { id, fence = 0 } = task;
  const details = { id, assigned: task.assigned ?? null, fence };
  if (!isTeamTask(task)) {
    throw new TroupeError('bad_input', {
      what: `${id} is not a team task.`,
      hint: `Run \`troupe done ${id}\`.`,
    });
  }
  if (by.fence === undefined ? task.assigned !== by.name : by.taskId !== id)
    throw new TroupeError('not_assignee', {
      what: `${by.name} does not hold ${id}.`,
      ...(task.assigned === undefined && by.fence === undefined
        ? { hint: `Claim it first: \`troupe claim ID --actor ${shellWord(by.name)}\`.` }
        : {}),
      details,
    });
  if (by.fence !== undefined && (task.assigned !== by.name || fence !== by.fence)) {
    const what = `${by.name} no longer holds ${id}: its claim was ${by.fence}, the task is at ${fence}.`;
    throw new TroupeError('stale_attempt', { what, details });
  }
  if (task.status !== 'in-progress')
    throw new TroupeError('wrong_status', { what: `${id} is ${task.status}: nothing can be submitted.`, details });
  refusePlanless(view, task);
}
