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

/** Task statuses in team vocabulary. */
export const TEAM_TASK_STATUSES = [
  'Pending',
  'InProgress',
  'WaitingReview',
  'Completed',
  'Failed',
  'Cancelled',
] as const;
export type TeamTaskStatus = (typeof TEAM_TASK_STATUSES)[number];
/** Verdicts of a review. */
export const VERDICTS = ['approve', 'reject'] as const;

/** A present or former member. Times are milliseconds since 1970. */
export interface TeamMember {
  readonly id: string;
  readonly name: string;
  readonly slug: string;
  readonly position: MemberPosition;
  readonly status: MemberStatus;
  /** Hash of its agent in the agency. */
  readonly agent: string | null;
  /** Person the member represents. */
  readonly person: string | null;
  readonly joinedAt: number;
  readonly leftAt: number | null;
}

export interface Team {
  readonly id: string;
  readonly name: string;
  /** Whether the name is a placeholder. */
  readonly nameAuto: boolean;
  readonly description: string;
  readonly status: TeamStatus;
  /** Whether members may write to one another, not only to their leader. */
  readonly mesh: boolean;
  /** Whether the team was cast: its members are derived from the events of `.squad/`. */
  readonly cast: boolean;
  readonly createdAt: number;
  readonly endedAt: number | null;
  /** Includes former members, by joining time, then by name. */
  readonly members: readonly TeamMember[];
}

/** Fields for looking up a team. */
export type TeamReference = Pick<Team, 'id' | 'name' | 'status' | 'createdAt'>;

/** One row of a team list. */
export interface TeamSummary extends Omit<Team, 'members'> {
  /** Name of the leader; null if there is none. */
  readonly leader: string | null;
  /** Number of present members. */
  readonly size: number;
}

export function teamSummary({ members, ...team }: Team): TeamSummary {
  const leader = leaderOf({ members })?.name ?? null;
  return { ...team, leader, size: presentMembers({ members }).length };
}

/** Present members. */
export function presentMembers({ members }: Pick<Team, 'members'>): readonly TeamMember[] {
  return members.filter(({ status }) => status !== 'removed');
}

export function leaderOf(team: Pick<Team, 'members'>): TeamMember | undefined {
  return presentMembers(team).find(({ position }) => position === 'leader');
}

/** Finds a present member by name or id. Errors: `not_found`. */
export function memberNamed(team: Pick<Team, 'name' | 'members'>, name: string): TeamMember {
  const slug = slugOf(name);
  const member = presentMembers(team).find((one) => one.slug === slug || one.id === name);
  if (member) return member;
  throw new TroupeError('not_found', {
    what: `${cut(inert(name), 60)} is not on ${inert(team.name)}.`,
    hint: 'Run `troupe team show TEAM` to see who is.',
    details: { team: team.name },
  });
}

/** Finds a team by id or case-insensitive name: active teams first, then the latest ended one. */
export function labelNamed<Label extends TeamReference>(labels: readonly Label[], word: string): Label | undefined {
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

export function unknownTeam(word: string, labels: readonly TeamReference[]): TroupeError {
  const near = didYouMean(
    word.slice(0, 120),
    labels.map(({ name }) => name),
  );
  return new TroupeError('not_found', {
    what: `There is no team ${cut(inert(word), 60)}.`,
    hint: near === undefined ? 'Run `troupe team list` to see all teams.' : `Did you mean ${inert(near)}?`,
  });
}
