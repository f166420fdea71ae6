import { TroupeError } from '#kernel/errors.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { inert } from '#kernel/text.js';
import { type StrataOutcome, type StrataPlan, strataHash } from './strata-plan.js';
import type { Team } from './team.js';

export const STRATA_STATES = ['planning', 'minted', 'skipped', 'failed'] as const;
export type StrataState = (typeof STRATA_STATES)[number];

/** A team's plan, or the state of the attempts to make it. One row per version. */
export interface Strata {
  readonly teamId: string;
  readonly version: number;
  readonly state: StrataState;
  readonly plan: StrataPlan | null;
  /** Hash of the plan text that members receive; null if they receive none. */
  readonly sha256: string | null;
  /** Fence under which the answer was written. */
  readonly claimFence: number | null;
  /** Number of attempts started. */
  readonly tries: number;
  readonly createdAt: number;
}

/** The version in force: the latest that has a plan or was skipped. */
export function strataInForce(rows: readonly Strata[]): Strata | undefined {
  return rows.findLast(({ state }) => state === 'minted' || state === 'skipped');
}

/** The version in preparation. */
export function strataInProgress(rows: readonly Strata[]): Strata | undefined {
  const last = rows.at(-1);
  return last?.state === 'planning' ? last : undefined;
}

/**
 * Starts the plan, or retries a failed one while attempts remain. The first writer starts it; later callers find it
 * started. Undefined if there is nothing to start.
 */
export function startStrata(rows: readonly Strata[], team: Pick<Team, 'id'>, at: number): Strata | undefined {
  const last = rows.at(-1);
  if (last === undefined) return newVersion(team, 1, at);
  if (last.state !== 'failed' || last.tries >= TALK_LIMITS.strataTries) return undefined;
  return { ...last, state: 'planning', claimFence: null, tries: last.tries + 1 };
}

/**
 * Starts another plan version on request of a person; the one in force stays until the new one is ready. Errors:
 * `wrong_status`.
 */
export function replanStrata(rows: readonly Strata[], team: Pick<Team, 'id' | 'name'>, at: number): Strata {
  const last = rows.at(-1);
  if (last?.state === 'planning')
    throw new TroupeError('wrong_status', {
      what: `${inert(team.name)} is being planned.`,
      hint: 'Check with `troupe team strata TEAM`.',
      details: { team: team.name },
    });
  return newVersion(team, (last?.version ?? 0) + 1, at);
}

/** Version and attempt that a planning task belongs to. */
export interface StrataAttempt {
  readonly version: number;
  readonly tries: number;
}

/** Records the result of an attempt. Only the current attempt counts: a late one fails with `stale_attempt`. */
export function strataAfterAttempt(
  rows: readonly Strata[],
  attempt: StrataAttempt,
  outcome: StrataOutcome | { readonly state: 'failed' },
  fence: number | null,
): Strata {
  const row = strataInProgress(rows);
  if (row?.version !== attempt.version || row.tries !== attempt.tries) {
    throw new TroupeError('stale_attempt', { what: 'This plan is no longer being made.' });
  }
  const plan = outcome.state === 'minted' ? outcome.plan : null;
  return { ...row, state: outcome.state, plan, sha256: plan && strataHash(plan), claimFence: fence };
}

/** The leader's task for one try: an ordinary task, by an id that says which. */
export function planningTaskId(teamId: string, { version, tries }: StrataAttempt): string {
  return `.strata-${shortTeamId(teamId)}-${version}-${tries}`;
}

/** Task that members' work depends on while the first plan is made; undefined if there is nothing to wait for. */
export function planningDependency(teamId: string, rows: readonly Strata[]): string | undefined {
  const attempt = strataInForce(rows) === undefined ? strataInProgress(rows) : undefined;
  return attempt && planningTaskId(teamId, attempt);
}

/** First 12 hex digits of a team's id, for task ids. */
export function shortTeamId(teamId: string): string {
  return teamId.replaceAll('-', '').slice(0, 12);
}

function newVersion(team: Pick<Team, 'id'>, version: number, at: number): Strata {
  const nothing = { plan: null, sha256: null, claimFence: null };
  return { teamId: team.id, version, state: 'planning', ...nothing, tries: 1, createdAt: at };
}
