import { LIMITS } from '#kernel/limits.js';
import { type EndReason, isClientRun, type RunFact } from './snapshot.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** The tag of a task that was given up because its runs said nothing. */
export const ZERO_OUTPUT_TAG = 'zero-output-circuit-broken';

export interface BackOff {
  readonly until: number;
  /** How long the last pause was, in milliseconds: the next one is twice as long. */
  readonly pauseMs: number;
}

/** No dispatch for a while, because too many runs were silent; kept over restarts. Undefined: there is no such pause. */
export interface WithBackOff {
  readonly backOff: BackOff | undefined;
}

interface BackOffDecision extends BaseDecision {
  readonly do: 'back-off';
  /** Without one the pause is over. */
  readonly backOff?: BackOff;
}

type Decision = BackOffDecision | KillDecision;

export const breaker: Part<WithBackOff, Decision> = { none: { backOff: undefined }, decide: zeroOutput };

/**
 * Phase 1.3: runs of model clients that say nothing. Each is ended; that its task fails the second time in a row is decided
 * when the run is settled. When half of those alive are silent, something all of them need is down: nothing is dispatched
 * for a while, and for longer each time.
 */
function zeroOutput(tick: Tick<WithBackOff, Decision>): void {
  const { facts, now } = tick;
  const clients = facts.runs.filter((run) => run.alive && run.exit === undefined && isClientRun(run));
  const silent = clients.filter((run) => isSilent(run, now, tick.facts.terms.silentMs));
  for (const run of silent) if (run.ended === undefined) tick.want(endSilent(run, tick.facts.terms.silentMs));
  const backOff = believable(facts.backOff, now);
  if (clients.length >= LIMITS.silentRunsLeast && silent.length * 2 >= clients.length) {
    if (backOff && now < backOff.until) {
      tick.backOffUntil = backOff.until;
      return;
    }
    const pauseMs = Math.min(LIMITS.backOffMostMs, backOff ? backOff.pauseMs * 2 : LIMITS.backOffLeastMs);
    tick.want({
      do: 'back-off',
      backOff: { until: now + pauseMs, pauseMs },
      reason: `${silent.length} of ${clients.length} runs say nothing`,
      events: [],
    });
    tick.backOffUntil = now + pauseMs;
    return;
  }
  if (!backOff) return;
  if (clients.some((run) => (run.progressAt ?? 0) > backOff.until - backOff.pauseMs)) {
    tick.want({ do: 'back-off', reason: 'A run has said something', events: [] });
    return;
  }
  tick.backOffUntil = backOff.until;
}

/** What a client prints before its first event counts as nothing: only what moves the work on is progress. */
function isSilent(run: RunFact, now: number, silentMs: number): boolean {
  return run.progressAt === undefined && now - run.startedAt >= silentMs;
}

function endSilent(run: RunFact, silentMs: number): KillDecision {
  return kill(run, 'silent', `It has said nothing for ${silentMs / 1_000} s`);
}

/** A pause that is still to last longer than it was made for comes from a clock that was set back since: it is over. */
function believable(backOff: BackOff | undefined, now: number): BackOff | undefined {
  return backOff && backOff.until - now > backOff.pauseMs ? undefined : backOff;
}

/** A run is told to end. */
export interface KillDecision extends BaseDecision {
  readonly do: 'kill';
  readonly run: string;
  readonly task: string;
  readonly why: EndReason;
}

export function kill(run: RunFact, why: EndReason, reason: string): KillDecision {
  return { do: 'kill', run: run.id, task: run.taskId, why, reason, events: [] };
}
