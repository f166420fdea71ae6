import type { Mover } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import { isTeamTask } from '#core/graph/team-work.js';
import type { GraphView } from '#core/graph/view.js';
import { gateOf } from '#core/teams/ask-review.js';
import { checkVerdict } from '#core/teams/review-work.js';
import { TroupeError } from '#kernel/errors.js';
import type { TeamContext } from '#operations/contexts.js';
import { projectEscalation } from '#operations/project-escalation.js';

/**
 * Refuses a verdict on a team's work by a caller without the right to give it; if the team cannot be read, all callers
 * are refused. `attempt`: the attempt that was shown to the caller, if known. Tasks without a team are not checked
 * here.
 */
export async function checkTeamVerdict(
  context: TeamContext,
  view: GraphView,
  task: Task,
  by: Mover,
  attempt?: number,
): Promise<void> {
  if (!isTeamTask(task)) return;
  const team = await (await context.teams()).getTeam(task.team);
  if (!team) throw new TroupeError('not_found', { what: `The team of ${task.id} is not in teams.db.` });
  checkVerdict(view, team, task, by, attempt);
  if (by.fence === undefined || (await projectEscalation(context))[gateOf(task)] !== 'always') return;
  throw new TroupeError('forbidden', {
    what: `This project requires a person at the gate ${gateOf(task)}: no run decides on ${task.id}.`,
    hint: 'Leave it to the owner of the project.',
    details: { id: task.id },
  });
}
