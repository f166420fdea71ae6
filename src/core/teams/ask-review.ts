import { type Deliverable, deliverableOf } from '#core/graph/deliverable.js';
import type { Plan } from '#core/graph/event.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import { record, taskField } from '#core/graph/task-field.js';
import { PLAN_OF } from '#core/graph/team-plan.js';
import { isTeamTask, REVIEW_TASK } from '#core/graph/team-work.js';
import type { GraphView } from '#core/graph/view.js';
import type { Gate } from '#core/mail/gates.js';
import { timestamp } from '#kernel/clock.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { cut } from '#kernel/text.js';
import { leaderOf, type Team, type TeamMember } from './team.js';
import { findPresentMember, isSameActor, performer } from './team-task.js';

const REVIEWS = taskField('reviews', record);

/** Task and fence that a review task is about. */
export function reviewedBy(task: Task | undefined): { readonly task: string; readonly fence: number } | undefined {
  const { task: id, fence } = REVIEWS.of(task) ?? {};
  return typeof id === 'string' && typeof fence === 'number' ? { task: id, fence } : undefined;
}

/** Gate of a task: plan or review. */
export function gateOf(task: Task): Gate {
  return PLAN_OF.of(task) === undefined ? 'review' : 'plan';
}

/** The reviewer: the active leader, except for the leader's own work, which the owner reviews. */
export function reviewerOf(team: Team, task: Task): TeamMember | undefined {
  const leader = leaderOf(team);
  if (team.status !== 'active' || leader?.status !== 'active') return undefined;
  const worker = task.member === undefined ? undefined : findPresentMember(team, task.member);
  return worker && isSameActor(worker, leader) ? undefined : leader;
}

/**
 * Creates a review task for the leader and records it in the reviewed task. A review that ends without a verdict is
 * repeated once; then the owner decides. Undefined if there is no reviewer or a review is under way.
 */
export function askReview(
  view: GraphView,
  task: Task,
  reviewer: TeamMember,
  now: number,
): Plan<{ readonly id: string }> | undefined {
  if (!isTeamTask(task) || task.status !== 'pending-validation') return undefined;
  const latest = view.task(REVIEW_TASK.of(task) ?? '');
  if (latest && !isTerminal(latest.status)) return undefined;
  let number = 1;
  let ofAttempt = 0;
  for (; view.wasUsed(reviewId(task.id, number)); number++) {
    const review = view.task(reviewId(task.id, number));
    if (!review || reviewedBy(review)?.fence === (task.fence ?? 0)) ofAttempt++; // one that was archived counts, too
  }
  if (ofAttempt >= TALK_LIMITS.reviewsAsked) return undefined;
  const id = reviewId(task.id, number);
  const put = {
    kind: 'task',
    id,
    title: cut(`Review ${task.id}: ${task.title}`, WORK_LIMITS.titleCharacters),
    status: 'open',
    description: descriptionOf(task, deliverableOf(task)),
    exec_mode: 'light',
    tags: ['review'],
    created_at: timestamp(now),
    created_by: 'coordinator',
    team: task.team,
    member: reviewer.slug,
    [REVIEWS.name]: { task: task.id, fence: task.fence ?? 0 },
    ...performer(reviewer),
  };
  const patch = [
    { id, put },
    { id: task.id, set: { [REVIEW_TASK.name]: id } },
  ];
  return { events: [{ op: 'add_task', task_id: id, actor: 'coordinator', patch }], result: { id } };
}

function reviewId(task: string, number: number): string {
  return `.review-${task}-${number}`;
}

/** Review description; the reviewer reads the deliverable's text from the artifact. */
function descriptionOf(task: Task & { readonly verify: string }, deliverable: Deliverable | undefined): string {
  const attempt = task.fence ?? 0;
  const lines = [
    `Task ${task.id}, attempt ${attempt}, by ${task.member ?? task.assigned ?? 'nobody'}.`,
    `What to look at: ${task.verify}`,
    ...(deliverable && deliverable.fence === attempt
      ? [
          `Deliverable: ${deliverable.title}`,
          `Artifact ${deliverable.artifact}, SHA-256 ${deliverable.sha256}`,
          ...(deliverable.summary === '' ? [] : [`Summary: ${deliverable.summary}`]),
        ]
      : ['No artifact was submitted: see the task and its files.']),
  ];
  return lines.join('\n');
}
