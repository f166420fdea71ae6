import { TroupeError } from '#kernel/errors.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { inert } from '#kernel/text.js';
import { type StrataOutcome, type StrataPlan, strataHash } from './strata-plan.js';
import type { Team } from './team.js';

export const STRATA_STATES = ['planning', 'minted', 'skipped', 'failed'] as const;
export type StrataState = (typeof STRATA_STATES)[number];

/** The plan of a team, or what became of the tries to make it. One row a version. */
export interface Strata {
  readonly teamId: string;
  readonly version: number;
  readonly state: StrataState;
  readonly plan: StrataPlan | null;
  /** Of the text that members are told; null where they are told nothing. */
  readonly sha256: string | null;
  /** The fence under which the answer was written. */
  readonly claimFence: number | null;
  /** How often it was begun. */
  readonly tries: number;
  readonly createdAt: number;
}

/** The version in force: the latest that holds a plan or says that there need be none. */
export function strataInForce(rows: readonly Strata[]): Strata | undefined {
  return rows.findLast(({ state }) => state === 'minted' || state === 'skipped');
}

/** The one that is being made. */
export function strataUnderWay(rows: readonly Strata[]): Strata | undefined {
  const last = rows.at(-1);
  return last?.state === 'planning' ? last : undefined;
}

/**
 * Whoever writes first begins the plan; all others find it begun. What was made once stays, and what failed is tried again, so often in
 * all. Undefined: there is nothing to begin.
 */
export function claimStrata(rows: readonly Strata[], team: Pick<Team, 'id'>, at: number): Strata | undefined {
  const last = rows.at(-1);
  if (last === undefined) return newVersion(team, 1, at);
  if (last.state !== 'failed' || last.tries >= TALK_LIMITS.strataTries) return undefined;
  return { ...last, state: 'planning', claimFence: null, tries: last.tries + 1 };
}

/** A person wants another plan; the one in force holds until that is there. Errors: `wrong_status`. */
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

/** Which try of which version a planning task is for. */
export interface StrataTry {
  readonly version: number;
  readonly tries: number;
}

/** What became of a try. Only the try under way counts: one that comes late is `stale_attempt`. */
export function settledStrata(
  rows: readonly Strata[],
  attempt: StrataTry,
  outcome: StrataOutcome | { readonly state: 'failed' },
  fence: number | null,
): Strata {
  const row = strataUnderWay(rows);
  if (row?.version !== attempt.version || row.tries !== attempt.tries) {
    throw new TroupeError('stale_attempt', { what: 'This plan is no longer being made.' });
  }
  const plan = outcome.state === 'minted' ? outcome.plan : null;
  return { ...row, state: outcome.state, plan, sha256: plan && strataHash(plan), claimFence: fence };
}

/** The leader's task for one try: an ordinary task, by an id that says which. */
export function planningTask(teamId: string, { version, tries }: StrataTry): string {
  return `.strata-${shortTeamId(teamId)}-${version}-${tries}`;
}

/** The task that work of members comes after while the first plan is made; undefined where nothing is waited for. */
export function planningFirst(teamId: string, rows: readonly Strata[]): string | undefined {
  const attempt = strataInForce(rows) === undefined ? strataUnderWay(rows) : undefined;
  return attempt && planningTask(teamId, attempt);
}

/** The first digits of a team's id, for ids of tasks. */
export function shortTeamId(teamId: string): string {
  return teamId.replaceAll('-', '').slice(0, 12);
}

function newVersion(team: Pick<Team, 'id'>, version: number, at: number): Strata {
  const nothing = { plan: null, sha256: null, claimFence: null };
  return { teamId: team.id, version, state: 'planning', ...nothing, tries: 1, createdAt: at };
}
