/**
 * Stored teams: their permitted changes, and the events that record them.
 * @packageDocumentation
 */
import { TroupeError } from '#kernel/errors.js';
import { slugOf } from '#kernel/slug.js';
import { cut, didYouMean, inert } from '#kernel/text.js';

export const TEAM_STATUSES = ['active', 'disbanded', 'archived'] as const;
export type TeamStatus = (typeof TEAM_STATUSES)[number];
export const POSITIONS = ['leader', 'member', 'observer'] as const;
export type MemberPosition = (typeof POSITIONS)[number];
export const MEMBER_STATUSES = ['active', 'paused', 'removed'] as const;
export type MemberStatus = (typeof MEMBER_STATUSES)[number];

/** How work of a team stands, in its words. */
export const TEAM_TASK_STATUSES = [
  'Pending',
  'InProgress',
  'WaitingReview',
  'Completed',
  'Failed',
  'Cancelled',
] as const;
export type TeamTaskStatus = (typeof TEAM_TASK_STATUSES)[number];
/** What is said of work that waits for a review. */
export const VERDICTS = ['approve', 'reject'] as const;

/** Who is, or was, on a team. Times are milliseconds since 1970. */
export interface TeamMember {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly position: MemberPosition;
  readonly status: MemberStatus;
  /** The agent of the agency that it is, by its hash. */
  readonly agent: string | null;
  /** The person it stands for. */
  readonly person: string | null;
  readonly joinedAt: number;
  readonly leftAt: number | null;
}

export interface Team {
  readonly id: string;
  readonly name: string;
  /** The name is a placeholder, until somebody gives another. */
  readonly nameAuto: boolean;
  readonly description: string;
  readonly status: TeamStatus;
  /** Members may write to one another, not only their leader to them. */
  readonly mesh: boolean;
  /** It was cast: its members follow from the events of `.squad/`. */
  readonly cast: boolean;
  readonly createdAt: number;
  readonly endedAt: number | null;
  /** Those who left too, in the order in which they joined; who joined at once, by name. */
  readonly members: readonly TeamMember[];
}

/** By which a team is looked for. */
export type TeamLabel = Pick<Team, 'id' | 'name' | 'status' | 'createdAt'>;

/** One line of a list of teams. */
export interface TeamSummary extends Omit<Team, 'members'> {
  /** Its name; null where nobody leads any more. */
  readonly leader: string | null;
  /** How many are on it now. */
  readonly size: number;
}

export function teamSummary({ members, ...team }: Team): TeamSummary {
  const leader = leaderOf({ members })?.name ?? null;
  return { ...team, leader, size: present({ members }).length };
}

/** Those on the team now. */
export function present({ members }: Pick<Team, 'members'>): readonly TeamMember[] {
  return members.filter(({ status }) => status !== 'removed');
}

export function leaderOf(team: Pick<Team, 'members'>): TeamMember | undefined {
  return present(team).find(({ position }) => position === 'leader');
}

/** Somebody on the team now, by name or id. Errors: `not_found`. */
export function memberNamed(team: Pick<Team, 'name' | 'members'>, name: string): TeamMember {
  const slug = slugOf(name);
  const member = present(team).find((one) => one.slug === slug || one.id === name);
  if (member) return member;
  throw new TroupeError('not_found', {
    what: `${cut(inert(name), 60)} is not on ${inert(team.name)}.`,
    hint: 'Run `troupe team show TEAM` to see who is.',
    details: { team: team.name },
  });
}

/** The one meant by an id or a name, whatever its case: one at work before those that ended, of these the latest. */
export function labelNamed<Label extends TeamLabel>(labels: readonly Label[], word: string): Label | undefined {
  const named = labels.filter(({ name }) => name.toLowerCase() === word.trim().toLowerCase());
  return (
    labels.find(({ id }) => id === word) ??
    named.find(({ status }) => status === 'active') ??
    named.reduce<Label | undefined>(
      (latest, one) => (latest && latest.createdAt > one.createdAt ? latest : one),
      undefined,
    )
  );
}

export function unknownTeam(word: string, labels: readonly TeamLabel[]): TroupeError {
  const near = didYouMean(
    word.slice(0, 120),
    labels.map(({ name }) => name),
  );
  return new TroupeError('not_found', {
    what: `There is no team ${cut(inert(word), 60)}.`,
    hint: near === undefined ? 'Run `troupe team list` to see all teams.' : `Did you mean ${inert(near)}?`,
  });
}
