// Work of a team that is for whichever member takes it.
import type { Plan } from '#core/graph/event.js';
import type { Moved, MoveOptions } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import { isTeamTask } from '#core/graph/team-work.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import { refuseEnded } from './review-work.js';
import { presentMembers, type Team, type TeamMember } from './team.js';
import { performer, refuseObserver } from './team-task.js';

/**
 * Assigns free team work to a member. Errors: `bad_input` for work of no team or another team, `not_assignee` if
 * another member has it, `wrong_status`, `forbidden` for an observer, `team_disbanded`, `team_archived`.
 */
export function takeWork(
  view: GraphView,
  team: Team,
  id: string,
  member: TeamMember,
  options: MoveOptions,
): Plan<Moved> {
  const task = taskOf(view, id);
  if (!isTeamTask(task) || task.team !== team.id)
    throw new TroupeError('bad_input', { what: `${id} is not work of ${inert(team.name)}.` });
  refuseEnded(team);
  refuseObserver(team, member);
  const result = { id, status: task.status, changed: true, warnings: [] };
  if (task.member === member.slug) return { events: [], result: { ...result, changed: false } };
  if (task.member !== undefined)
    throw new TroupeError('not_assignee', { what: `${id} is for ${inert(task.member)}.`, details: { id } });
  if (task.status !== 'open')
    throw new TroupeError('wrong_status', { what: `${id} is ${task.status}.`, details: { id } });
  const entry = {
    timestamp: timestamp(options.now),
    actor: options.by.name,
    message: `${inert(member.name)} takes it`,
  };
  const patch = { id, set: { member: member.slug, ...performer(member) }, log_at: task.log?.length ?? 0, log: [entry] };
  return { events: [{ op: 'take', task_id: id, actor: options.by.name, patch: [patch] }], result };
}

/**
 * Member to assign free work to: least work in hand, then seat order; the leader only if no other member can. People
 * take work themselves.
 */
export function takerOf(team: Team, inHand: ReadonlyMap<string, number>): TeamMember | undefined {
  if (team.status !== 'active') return undefined;
  const able = presentMembers(team).filter(
    ({ status, position, person }) => status === 'active' && position !== 'observer' && person === null,
  );
  const members = able.filter(({ position }) => position === 'member');
  const load = ({ slug }: TeamMember) => inHand.get(slug) ?? 0;
  return [...(members.length > 0 ? members : able)].sort((left, right) => load(left) - load(right))[0];
}
