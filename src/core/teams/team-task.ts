import type { Status, Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { slugOf } from '#kernel/slug.js';
import { cut, inert } from '#kernel/text.js';
import { present, type Team, type TeamMember, type TeamTaskStatus } from './team.js';

const OF_GRAPH: Readonly<Record<Status, TeamTaskStatus>> = {
  open: 'Pending',
  blocked: 'Pending',
  'in-progress': 'InProgress',
  waiting: 'InProgress',
  'pending-validation': 'WaitingReview',
  done: 'Completed',
  failed: 'Failed',
  abandoned: 'Cancelled',
};

/** A status of the graph in the words of a team. It is never kept: the graph has the one status there is. */
export function teamStatusOf({ status }: Pick<Task, 'status'>): TeamTaskStatus {
  return OF_GRAPH[status];
}

/** What a team does unless somebody says how the work is looked at. */
const BY_THE_LEADER = 'The leader of the team accepts the deliverable.';
const PLAN_BY_THE_LEADER = 'The plan: whether the work can start as planned.';

export interface NewTeamTask {
  readonly title: string;
  /** The name, slug or id of who does it; undefined where a member is to take it. */
  readonly to: string | undefined;
  readonly description: string | undefined;
  readonly verify: string | undefined;
  readonly after: readonly string[] | undefined;
  readonly max_rejections: number | undefined;
  /** The task in which a plan for it is made; undefined where it begins without one. */
  readonly plan: string | undefined;
}

/** What the graph is told of new work of a team. Errors: `not_found`, `forbidden` for who only looks on. */
export function teamTaskFields(team: Team, wish: NewTeamTask) {
  const { to, plan, verify, ...fields } = wish;
  const member = to === undefined ? undefined : memberNamed(team, to);
  if (member) refuseObserver(team, member);
  return {
    ...fields,
    verify: verify?.trim() ? verify : BY_THE_LEADER,
    team: team.id,
    ...(member ? { member: member.slug, ...performer(member) } : {}),
    ...(plan === undefined ? {} : { plan_required: true as const, after_success: [plan] }),
  };
}

/** Errors: `forbidden` for who only looks on. */
export function refuseObserver(team: Pick<Team, 'name'>, { name, position }: TeamMember): void {
  if (position !== 'observer') return;
  throw new TroupeError('forbidden', {
    what: `${inert(name)} is an observer and does no tasks.`,
    hint: 'Give it to another member: `troupe team show TEAM` lists their positions.',
    details: { team: team.name },
  });
}

/** Errors: `not_found`. */
function memberNamed(team: Team, word: string): TeamMember {
  const member = seatNamed(team, word);
  if (member) return member;
  throw new TroupeError('not_found', {
    what: `${cut(inert(word), 60)} is not on ${inert(team.name)}.`,
    hint: 'Run `troupe team show TEAM` to see who is.',
    details: { team: team.name },
  });
}

/** The plan that has to be approved first: work of the same member, reviewed by the same leader, that changes nothing. */
export function planTaskFields(team: Team, wish: NewTeamTask, id: string) {
  const { max_rejections: _, ...fields } = teamTaskFields(team, { ...wish, plan: undefined });
  const lines = [
    `Write down how you would do the task ${id}, and hand that in: \`troupe team plan submit ${id} --file FILE\`.`,
    'Change nothing yet: the task itself starts when the plan is approved.',
    `The task: ${wish.title}`,
    ...(wish.description === undefined ? [] : [wish.description]),
    ...(wish.verify?.trim() ? [`What its review looks at: ${wish.verify}`] : []),
  ];
  return {
    ...fields,
    title: cut(`Plan: ${wish.title}`, LIMITS.titleCharacters),
    description: lines.join('\n'),
    verify: PLAN_BY_THE_LEADER,
    plan_of: id,
    exec_mode: 'light' as const,
  };
}

/** Who on the team is meant by a name, a slug, an id, or as the person they stand for. */
export function seatNamed(team: Pick<Team, 'members'>, word: string): TeamMember | undefined {
  const slug = slugOf(word);
  const seats = present(team);
  return (
    seats.find((one) => one.id === word || one.slug === slug) ??
    seats.find(({ person }) => person !== null && slugOf(person) === slug)
  );
}

/** Whose work a task is: its member, or that of the task it was made for, since what a child does its parent had done. */
export function workerOf(view: GraphView, task: Task): { readonly team: string; readonly member: string } | undefined {
  const visited = new Set<string>();
  for (let at: Task | undefined = task; at && !visited.has(at.id); at = view.task(at.parent ?? '')) {
    visited.add(at.id);
    if (at.team !== undefined && at.member !== undefined) return { team: at.team, member: at.member };
  }
  return undefined;
}

/** Are these one and the same, though they may sit on the team twice, as one person or as one agent? */
export function isSame(left: TeamMember, right: TeamMember): boolean {
  return (
    left.id === right.id ||
    (left.person !== null && right.person !== null && slugOf(left.person) === slugOf(right.person)) ||
    (left.agent !== null && left.agent === right.agent)
  );
}

/** Who does a task of this member: their agent, or a person. */
export function performer({ agent, person }: TeamMember): { readonly agent?: string; readonly human?: true } {
  return { ...(agent === null ? {} : { agent }), ...(person === null ? {} : { human: true }) };
}
