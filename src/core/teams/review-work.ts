import { checkClaim, type Mover } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { REVIEW_TASK } from '#core/graph/team-work.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import { reviewedBy } from './ask-review.js';
import { leaderOf, type Team, type TeamMember } from './team.js';
import { findPresentMember, isSameActor, responsibleMember, teamStatusOf } from './team-task.js';

/**
 * Checks who may give a verdict on team work: the active leader, in the run assigned to this review and on the attempt
 * under review; for the leader's own work and all other work the owner, who is on no team. Errors: `team_disbanded`,
 * `team_archived`, `forbidden`, `not_waiting_review`, `stale_attempt`, `own_work`, `not_yours`.
 */
export function checkVerdict(view: GraphView, team: Team, task: Task, by: Mover, attempt: number | undefined): void {
  refuseEnded(team);
  const seat = reviewerSeat(view, team, by);
  const leader = leaderOf(team);
  const leads = seat !== undefined && seat.id === leader?.id && seat.status === 'active';
  if (by.fence === undefined ? seat !== undefined && !leads : !leads) {
    throw new TroupeError('forbidden', {
      what: `Only the active leader of ${inert(team.name)} reviews its work.`,
      hint: leader ? `Leave it to ${inert(leader.name)} or the project owner.` : 'The owner decides.',
      details: { id: task.id },
    });
  }
  if (task.status !== 'pending-validation') {
    throw new TroupeError('not_waiting_review', {
      what: `${task.id} is ${teamStatusOf(task)}: there is nothing to review.`,
      details: { id: task.id, status: teamStatusOf(task) },
    });
  }
  if (seat && workers(view, team, task).some((worker) => isSameActor(worker, seat))) {
    throw new TroupeError('own_work', {
      what: `${inert(seat.name)} did the work of ${task.id}: the owner of the project reviews it.`,
      hint: `The project owner can run \`troupe team review ${task.id} approve\`.`,
      details: { id: task.id },
    });
  }
  if (by.fence !== undefined) {
    checkClaim(view, by);
    if (REVIEW_TASK.of(task) !== by.taskId) throw notAsked(view, task, by);
  }
  if (attempt !== undefined && attempt !== (task.fence ?? 0)) throw notShown(task);
}

/** Ended teams are read-only. Errors: `team_disbanded`, `team_archived`. */
export function refuseEnded({ name, status }: Pick<Team, 'name' | 'status'>): void {
  const what = `${inert(name)} is ${status}.`;
  if (status === 'disbanded') throw new TroupeError('team_disbanded', { what });
  if (status === 'archived') throw new TroupeError('team_archived', { what });
}

/** The run reviews an earlier attempt, or another task. */
function notAsked(view: GraphView, task: Task, by: Mover): TroupeError {
  if (reviewedBy(view.task(by.taskId ?? ''))?.task === task.id) return notShown(task);
  return new TroupeError('not_yours', {
    what: `This run was not asked to review ${task.id}.`,
    hint: `Leave the verdict to ${REVIEW_TASK.of(task) ?? 'the review that is asked for'}.`,
    details: { id: task.id },
  });
}

function notShown(task: Task): TroupeError {
  return new TroupeError('stale_attempt', {
    what: `Another attempt of ${task.id} needs review than the one shown.`,
    hint: `Run \`troupe show ${task.id}\`, then decide.`,
    details: { id: task.id, fence: task.fence ?? 0 },
  });
}

/** Seat of the deciding mover; a run has the seat of its task's member. */
export function reviewerSeat(view: GraphView, team: Team, by: Mover): TeamMember | undefined {
  if (by.fence === undefined) return findPresentMember(team, by.name);
  const own = view.task(by.taskId ?? '');
  const worker = own && responsibleMember(view, own);
  return worker?.team === team.id ? findPresentMember(team, worker.member) : undefined;
}

/** All members possibly behind the work: the assigned member and the claimant. */
function workers(view: GraphView, team: Team, task: Task): TeamMember[] {
  const worker = responsibleMember(view, task);
  const names = [worker?.team === team.id ? worker.member : undefined, task.assigned];
  return names.flatMap((name) => (name === undefined ? [] : (findPresentMember(team, name) ?? [])));
}
