import type { OutboxRow } from '#core/mail/outbox.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { type Queried, type Queries, queriesOf } from '#kernel/query.js';
import { slugOf } from '#kernel/slug.js';
import { cut, inert } from '#kernel/text.js';
import type { Artifact, ArtifactTransition } from './artifacts.js';
import { NO_TALK, type TalkQueries, type TalkRows } from './talk.js';
import {
  labelNamed,
  leaderOf,
  type MemberPosition,
  memberNamed,
  presentMembers,
  type Team,
  type TeamMember,
  type TeamReference,
  type TeamStatus,
  unknownTeam,
} from './team.js';
import { eventsBetween, type NewTeamEvent } from './team-events.js';

/** Queries available to a team decision; no concurrent change happens until its result is written. */
export interface TeamQueries extends TalkQueries {
  labels(): readonly TeamReference[];
  team(id: string): Team | undefined;
  /** Last log entry followed; undefined before the first team work. */
  followed(): number | undefined;
}

export type TeamsView = Queries<TeamQueries>;

export const TEAMS_VIEW: TeamsView = queriesOf<TeamQueries>({
  labels: true,
  team: true,
  followed: true,
  session: true,
  strata: true,
  lastNumber: true,
  message: true,
  threadLength: true,
  wakeUp: true,
  wakeUpsOf: true,
  wakeUpsBy: true,
  latestTurn: true,
});

/** Result of a decision; everything in it is written in one transaction. Without a team, no team row is written. */
export interface TeamPlan<Result> {
  readonly team: Team | undefined;
  readonly events: readonly NewTeamEvent[];
  /** Commands for the graph, written in the same transaction. */
  readonly outbox: readonly OutboxRow[];
  /** Rows of the conversation and the plan. */
  readonly talk: TalkRows;
  /** Submitted artifacts, stored in the same transaction. */
  readonly artifacts: readonly Artifact[];
  /** State changes of existing artifacts. */
  readonly moves: readonly ArtifactTransition[];
  /** New log cursor; undefined leaves it unchanged. */
  readonly followed: number | undefined;
  readonly result: Result;
}

/** An empty plan that supplies defaults. */
export const EMPTY_TEAM_PLAN: Omit<TeamPlan<unknown>, 'result'> = {
  team: undefined,
  events: [],
  outbox: [],
  talk: NO_TALK,
  artifacts: [],
  moves: [],
  followed: undefined,
};

/** Author and time of a change. */
export interface TeamCall {
  readonly by: string;
  readonly at: number;
}

export interface TeamResult {
  readonly team: Team;
  readonly changed: boolean;
}
export interface MemberResult extends TeamResult {
  readonly member: TeamMember;
}

export interface NewTeam {
  /** Unique; an existing team with this id is returned unchanged. */
  readonly id: string;
  /** Blank: a placeholder derived from the id. */
  readonly name: string;
  readonly description: string;
  readonly mesh: boolean;
  readonly leader: string | undefined;
  readonly leaderId: string;
  /** Name of the project's present or future cast team, reserved for it. */
  readonly reserved: string;
}

/** Creates a team with one leader. Errors: `leader_required`, `name_taken`, `bad_input`. */
export function* createTeam(view: TeamsView, team: NewTeam, call: TeamCall): Queried<TeamPlan<TeamResult>> {
  const present = yield* view.team(team.id);
  if (present) return unchanged({ team: present, changed: false });
  if (team.leader === undefined || team.leader.trim() === '') {
    throw new TroupeError('leader_required', { what: 'A team needs a leader.', hint: 'Add --leader NAME.' });
  }
  const nameAuto = team.name.trim() === '';
  const name = nameAuto ? placeholderOf(team.id) : nameFrom(team.name, 'A team');
  yield* refuseTaken(view, name, team.reserved);
  const leader = newMember(team.leaderId, { name: team.leader, position: 'leader', agent: null, person: null }, call);
  return planOf(
    undefined,
    {
      id: team.id,
      name,
      nameAuto,
      description: descriptionFrom(team.description),
      status: 'active',
      mesh: team.mesh,
      cast: false,
      createdAt: call.at,
      endedAt: null,
      members: [leader],
    },
    call,
    {},
  );
}

export interface NewTeamMember {
  readonly id: string;
  readonly name: string;
  readonly position: MemberPosition;
  readonly agent: string | null;
  readonly person: string | null;
}

/**
 * Adds a member; an existing one is returned unchanged. Errors: those of every change, `leader_exists`, `bad_input`.
 */
export function* addMember(
  view: TeamsView,
  word: string,
  wish: NewTeamMember,
  call: TeamCall,
): Queried<TeamPlan<MemberResult>> {
  const team = yield* changeable(view, word);
  const member = newMember(wish.id, wish, call);
  const existing = presentMembers(team).find(({ slug }) => slug === member.slug);
  if (existing) return unchanged({ team, changed: false, member: existing });
  const leader = leaderOf(team);
  if (member.position === 'leader' && leader) {
    throw new TroupeError('leader_exists', {
      what: `${inert(team.name)} is led by ${inert(leader.name)}.`,
      hint: 'Add a member, then hand over with `troupe team remove TEAM NAME --leader NEXT`.',
      details: { team: team.name, name: leader.name },
    });
  }
  if (team.members.length >= TEAM_LIMITS.teamMembers) {
    throw new TroupeError('bad_input', {
      what: `A team can have at most ${TEAM_LIMITS.teamMembers} members, including former ones.`,
      hint: 'Create another team.',
    });
  }
  return planOf(team, { ...team, members: [...team.members, member] }, call, { member });
}

/**
 * Removes a member. The leader can leave only if another member takes the lead. Errors: those of every change,
 * `not_found`, `leader_required`.
 */
export function* removeMember(
  view: TeamsView,
  word: string,
  { name, next }: { readonly name: string; readonly next: string | undefined },
  call: TeamCall,
): Queried<TeamPlan<MemberResult>> {
  const team = yield* changeable(view, word);
  const member = memberNamed(team, name);
  const successor = next === undefined ? undefined : memberNamed(team, next);
  if (
    successor?.position === 'observer' ||
    successor?.id === member.id ||
    (member.position === 'leader' && !successor)
  ) {
    const why = successor === undefined ? 'leads the team' : `cannot be followed by ${inert(successor.name)}`;
    throw new TroupeError('leader_required', {
      what: `${inert(member.name)} ${why}.`,
      hint: 'Name the new leader with --leader NAME.',
    });
  }
  const left: TeamMember = { ...member, status: 'removed', leftAt: call.at };
  const members = team.members.map((one): TeamMember => {
    if (one.id === left.id) return left;
    if (one.id === successor?.id) return { ...one, position: 'leader' };
    return successor && one.position === 'leader' && one.status !== 'removed' ? { ...one, position: 'member' } : one;
  });
  return planOf(team, { ...team, members }, call, { member: left });
}

/**
 * Renames a team; the new name is no longer a placeholder. Errors: those of every change, `name_taken`, `bad_input`.
 */
export function* renameTeam(
  view: TeamsView,
  word: string,
  { name: wish, reserved }: { readonly name: string; readonly reserved: string },
  call: TeamCall,
): Queried<TeamPlan<TeamResult>> {
  const team = yield* changeable(view, word);
  const name = nameFrom(wish, 'A team');
  if (name === team.name && !team.nameAuto) return unchanged({ team, changed: false });
  yield* refuseTaken(view, name, reserved, team.id);
  return planOf(team, { ...team, name, nameAuto: false }, call, {});
}

export type EndStatus = Exclude<TeamStatus, 'active'>;

/**
 * Ends a team. Disbanded: its members leave. Archived: they stay, read-only. Both are final; its remaining work in the
 * graph is paused and kept. Errors: `not_found`, `cast_team`, `team_transition`.
 */
export function* endTeam(
  view: TeamsView,
  word: string,
  { status, hasGraph }: { readonly status: EndStatus; readonly hasGraph: boolean },
  call: TeamCall,
): Queried<TeamPlan<TeamResult>> {
  const team = yield* teamNamed(view, word);
  refuseCast(team);
  if (team.status === status) return unchanged({ team, changed: false });
  if (team.status !== 'active') {
    throw new TroupeError('team_transition', {
      what: `${inert(team.name)} is ${team.status}, and cannot become ${status}.`,
      details: { from: team.status, to: status },
    });
  }
  const leave = (member: TeamMember): TeamMember =>
    member.status === 'removed' ? member : { ...member, status: 'removed', leftAt: call.at };
  const members = status === 'disbanded' ? team.members.map(leave) : team.members;
  const plan = planOf(team, { ...team, status, endedAt: call.at, members }, call, {});
  const args = { team: team.id, by: call.by, reason: `its team was ${status}` };
  return hasGraph ? { ...plan, outbox: [{ id: `hold:${team.id}`, op: 'team.hold', args }] } : plan;
}

/** Rejects changes of a cast team, which is derived from the events of `.squad/`: change it there. */
export function refuseCast({ name, cast }: Pick<Team, 'name' | 'cast'>): void {
  if (cast) throw new TroupeError('cast_team', { what: `${inert(name)} was cast: it cannot be changed here.` });
}

function* teamNamed(view: TeamsView, word: string): Queried<Team> {
  const labels = yield* view.labels();
  const label = labelNamed(labels, word);
  const team = label && (yield* view.team(label.id));
  if (!team) throw unknownTeam(word, labels);
  return team;
}

/** Precondition of every membership change. */
function* changeable(view: TeamsView, word: string): Queried<Team> {
  const team = yield* teamNamed(view, word);
  refuseCast(team);
  return yield* activeTeam(view, team.id);
}

/** Finds an active team, cast or not. Errors: `not_found`, `team_disbanded`, `team_archived`. */
export function* activeTeam(view: TeamsView, word: string): Queried<Team> {
  const team = yield* teamNamed(view, word);
  const what = `${inert(team.name)} is ${team.status}.`;
  if (team.status === 'disbanded') throw new TroupeError('team_disbanded', { what });
  if (team.status === 'archived') throw new TroupeError('team_archived', { what });
  return team;
}

function newMember(id: string, wish: Omit<NewTeamMember, 'id'>, { at }: TeamCall): TeamMember {
  const name = nameFrom(wish.name, 'A member');
  const { position, agent } = wish;
  const person = wish.person === null ? null : nameFrom(wish.person, 'A person');
  return { id, name, slug: slugOf(name) ?? '', position, status: 'active', agent, person, joinedAt: at, leftAt: null };
}

function planOf<More extends object>(
  before: Team | undefined,
  after: Team,
  call: TeamCall,
  more: More,
): TeamPlan<TeamResult & More> {
  const events = eventsBetween(before, after, call);
  return { ...EMPTY_TEAM_PLAN, team: after, events, result: { team: after, changed: true, ...more } };
}

function unchanged<Result>(result: Result): TeamPlan<Result> {
  return { ...EMPTY_TEAM_PLAN, result };
}

/** Whether the name is still the placeholder. */
export function isPlaceholder({ id, name }: Pick<Team, 'id' | 'name'>): boolean {
  return name === placeholderOf(id);
}

/** `team-` and eight hexadecimal digits. */
function placeholderOf(id: string): string {
  return `team-${id.replaceAll('-', '').slice(0, 8)}`;
}

/** Validates a name. Names become parts of ids: no invisible characters, spelling preserved. */
function nameFrom(typed: string, whose: string): string {
  const name = typed.trim();
  const most = TEAM_LIMITS.teamNameCharacters;
  if (slugOf(name) !== undefined && name.length <= most && !/\p{C}/u.test(name)) return name;
  throw new TroupeError('bad_input', {
    what: `${whose} needs a name of 1 to ${most} visible characters without slashes or colons, not "${cut(inert(typed), 60)}".`,
  });
}

function descriptionFrom(typed: string): string {
  // NUL terminates a text in some libraries, and a lone surrogate has no UTF-8 form: neither would survive storage.
  if (typed.length <= TEAM_LIMITS.teamTextCharacters && !/[\0\p{Cs}]/u.test(typed)) return typed;
  throw new TroupeError('bad_input', {
    what: `A description must be text of at most ${TEAM_LIMITS.teamTextCharacters} characters.`,
  });
}

/** Ids derive from names, so active teams must differ by more than case and blanks. */
function* refuseTaken(view: TeamsView, name: string, reserved: string, own?: string): Queried<void> {
  const labels = yield* view.labels();
  const slug = slugOf(name);
  const others = labels.filter(({ id, status }) => status === 'active' && id !== own).map((label) => label.name);
  const taken = [reserved, ...others].find((other) => slugOf(other) === slug);
  if (taken === undefined) return;
  const whose = taken === reserved ? 'the team that is cast for this project' : 'another team';
  throw new TroupeError('name_taken', { what: `${inert(taken)} is the name of ${whose}.` });
}
