import type { EventDraft, Plan } from '#core/graph/event.js';
import { withinLimit } from '#core/graph/lib/checks.js';
import { because, type Moved, type MoveOptions, type Mover, move, moved, wrongStatus } from '#core/graph/lib/move.js';
import { metaTasksOf } from '#core/graph/meta.js';
import { checkFence } from '#core/graph/moves.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { plural } from '#kernel/text.js';
import { type Acceptance, acceptedOf, refuseAccepted } from './acceptance.js';
import { isUnmerged, setAsideAllWork } from './attempts.js';
import { convergedPatch } from './cycle-moves.js';
import type { Feedback } from './feedback.js';
import { REVIEW_TASK } from './team-work.js';

/** Pending-validation → done. Refused for the task's own worker. */
export function approveTask(view: GraphView, id: string, options: MoveOptions): Plan<Moved> {
  const task = taskOf(view, id);
  checkReviewer(view, task, options.by, 'approved');
  const convergence = task.converge_on_done ? convergedPatch(view, task) : undefined;
  const set = {
    status: 'done',
    completed_at: timestamp(options.now),
    ...(convergence?.tags ? { tags: [...convergence.tags] } : {}),
  };
  const event = move(
    task,
    'approve',
    options,
    set,
    ['converge_on_done', 'failure_reason', 'unmerged', 'conflict_branch', 'eval_gate', 'review_feedback'],
    `Approved${because(options)}${fromAccount(options.by)}`,
  );
  const approval = { ...event, patch: [...event.patch, ...(convergence?.patch ?? [])] };
  return { events: [approval, ...closeReviewTask(view, task, options)], result: moved(id, 'done') };
}

/**
 * Records an approval, still pending-validation, before the work is merged. A rejection either comes earlier, and then
 * this is refused, or is too late.
 */
export function acceptTask(view: GraphView, id: string, fence: number, options: MoveOptions): Plan<undefined> {
  const task = taskOf(view, id);
  checkReviewer(view, task, options.by, 'approved');
  if ((task.fence ?? 0) !== fence) {
    throw new TroupeError('wrong_status', {
      what: `${id} was just retried: another attempt needs review now.`,
      hint: 'Review that one, then approve again.',
      details: { id, status: task.status },
    });
  }
  if (acceptedOf(task)) return { events: [], result: undefined };
  const accepted: Acceptance = { by: options.by.name, at: timestamp(options.now), fence };
  return { events: [move(task, 'accept', options, { accepted: { ...accepted } }, [])], result: undefined };
}

/**
 * Pending-validation → open for another attempt, with the reason; → failed after the last allowed rejection. For a team
 * task it is the reviewer's verdict, not a failure: the member gets the feedback, also when it is empty.
 */
export function rejectTask(
  view: GraphView,
  id: string,
  options: MoveOptions & { readonly reason: string },
): Plan<Moved> {
  const task = taskOf(view, id);
  checkReviewer(view, task, options.by, 'rejected');
  refuseAccepted(task, 'rejected');
  const reviewed = task.team !== undefined;
  const reason = options.reason.trim();
  if (reason === '' && !reviewed) throw new TroupeError('usage', { what: 'A rejection needs a reason.' });
  const rejections = (task.rejection_count ?? 0) + 1;
  const most = task.max_rejections ?? WORK_LIMITS.rejections;
  const failed = rejections >= most;
  const words = withinLimit('log message', reason);
  const feedback: Feedback = { text: words, by: options.by.name, number: rejections };
  const failure = reviewed
    ? `Rejected ${plural(rejections, 'time')}${words === '' ? '' : `, at last: ${words}`}`
    : words;
  const set = {
    status: failed ? 'failed' : 'open',
    rejection_count: rejections,
    ...(reviewed ? { review_feedback: { ...feedback } } : {}),
    ...(failed || !reviewed ? { failure_reason: failure } : {}),
    ...(failed ? { completed_at: timestamp(options.now) } : {}),
    // Work with a merge conflict is set aside: the next attempt starts from the commit it conflicts with.
    ...(isUnmerged(task) ? setAsideAllWork(task) : {}),
  };
  const count = `(${rejections}/${most})`;
  const said = reviewed ? (words === '' ? ', without feedback' : `: ${words}`) : because(options);
  const message = reviewed && !failed ? `Reviewed ${count}, changes are asked for${said}` : `Rejected ${count}${said}`;
  const over = ['assigned', 'started_at', 'converge_on_done', 'unmerged', ...(reviewed ? ['failure_reason'] : [])];
  const event = move(task, 'reject', options, set, over, `${message}${fromAccount(options.by)}`);
  return { events: [event, ...closeReviewTask(view, task, options)], result: moved(id, failed ? 'failed' : 'open') };
}

/** Names the account of a verdict given under another name: unlike that name, the account cannot be chosen freely. */
function fromAccount({ account }: Mover): string {
  return account === undefined ? '' : ` (from the account of ${account})`;
}

/** Ends the review task of this task along with the verdict: done if its own run gave the verdict, else abandoned. */
function closeReviewTask(view: GraphView, task: Task, options: MoveOptions): EventDraft[] {
  const review = view.task(REVIEW_TASK.of(task) ?? '');
  if (!review || isTerminal(review.status)) return [];
  const over = { now: options.now, by: options.by };
  const completed_at = timestamp(options.now);
  if (review.id === options.by.taskId)
    return [move(review, 'done', over, { status: 'done', completed_at }, ['wait_condition'], 'Done')];
  const message = `Abandoned: ${options.by.name} reviewed ${task.id}`;
  return [
    move(review, 'abandon', over, { status: 'abandoned', completed_at }, ['assigned', 'wait_condition'], message),
  ];
}

/**
 * Refuses reviewers of their own work, or of a task that their run created. A run may review only in a review task
 * about this very task. Errors: `wrong_status`, `own_work`, `not_yours`, `stale_attempt`.
 */
function checkReviewer(view: GraphView, task: Task, by: Mover, action: string): void {
  if (task.status !== 'pending-validation') throw wrongStatus(task, action);
  const parentRun = task.created_by === by.name && by.fence !== undefined;
  if (task.assigned === by.name || parentRun) {
    throw new TroupeError('own_work', {
      what: `${by.name} ${parentRun ? 'had' : 'did'} the work of ${task.id}: someone else must review it.`,
      details: { id: task.id, assigned: task.assigned ?? null },
    });
  }
  // A review task that a run created for itself does not count.
  const reviews = metaTasksOf(view, task.id).some((meta) => meta.id === by.taskId && meta.parent === undefined);
  const own = by.taskId === undefined ? undefined : view.task(by.taskId);
  if (!reviews || !own) checkFence(view, task, by);
  else checkFence(view, own, by);
}
