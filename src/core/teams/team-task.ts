import type { Status, Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { slugOf } from '#kernel/slug.js';
import { cut, inert } from '#kernel/text.js';
import { presentMembers, type Team, type TeamMember, type TeamTaskStatus } from './team.js';

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

/** Team status of a task. Derived from the graph's status, never stored. */
export function teamStatusOf({ status }: Pick<Task, 'status'>): TeamTaskStatus {
  return OF_GRAPH[status];
}

/** Default review instruction. */
const BY_THE_LEADER = 'The leader of the team accepts the deliverable.';
const PLAN_BY_THE_LEADER = 'The plan: whether the work can start as planned.';

export interface NewTeamTask {
  readonly title: string;
  /** Name, slug or id of the assignee; undefined if any member may take it. */
  readonly to: string | undefined;
  readonly description: string | undefined;
  readonly verify: string | undefined;
  readonly after: readonly string[] | undefined;
  readonly max_rejections: number | undefined;
  /** Task that produces the plan for this one; undefined if no plan is required. */
  readonly plan: string | undefined;
}

/** Task fields for new team work. Errors: `not_found`, `forbidden` for an observer. */
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

/** Errors: `forbidden` for an observer. */
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
  const member = findPresentMember(team, word);
  if (member) return member;
  throw new TroupeError('not_found', {
    what: `${cut(inert(word), 60)} is not on ${inert(team.name)}.`,
    hint: 'Run `troupe team show TEAM` to see who is.',
    details: { team: team.name },
  });
}

/** Task that produces the plan to be approved first: same member, same reviewing leader, no changes. */
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
    title: cut(`Plan: ${wish.title}`, WORK_LIMITS.titleCharacters),
    description: lines.join('\n'),
    verify: PLAN_BY_THE_LEADER,
    plan_of: id,
    exec_mode: 'light' as const,
  };
}

/** Finds a present member by name, slug, id or the person they represent. */
export function findPresentMember(team: Pick<Team, 'members'>, word: string): TeamMember | undefined {
  const slug = slugOf(word);
  const seats = presentMembers(team);
  return (
    seats.find((one) => one.id === word || one.slug === slug) ??
    seats.find(({ person }) => person !== null && slugOf(person) === slug)
  );
}

/**
 * Member that a task belongs to: its own, else that of its nearest ancestor with one, since a child's work counts as
 * its parent's.
 */
export function responsibleMember(
  view: GraphView,
  task: Task,
): { readonly team: string; readonly member: string } | undefined {
  const visited = new Set<string>();
  for (let at: Task | undefined = task; at && !visited.has(at.id); at = view.task(at.parent ?? '')) {
    visited.add(at.id);
    if (at.team !== undefined && at.member !== undefined) return { team: at.team, member: at.member };
  }
  return undefined;
}

/** Whether two members are the same person or agent; one may have two seats on the team. */
export function isSameActor(left: TeamMember, right: TeamMember): boolean {
  return (
    left.id === right.id ||
    (left.person !== null && right.person !== null && slugOf(left.person) === slugOf(right.person)) ||
    (left.agent !== null && left.agent === right.agent)
  );
}

/** Assignee fields of a member's task: the agent, or a person. */
export function performer({ agent, person }: TeamMember): { readonly agent?: string; readonly human?: true } {
  return { ...(agent === null ? {} : { agent }), ...(person === null ? {} : { human: true }) };
}
