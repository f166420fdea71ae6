import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { EndReason, RunFact } from './snapshot.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** Tag of a task that failed because its runs were silent. */
export const ZERO_OUTPUT_TAG = 'zero-output-circuit-broken';

export interface BackOff {
  readonly until: number;
  /** Length of the last pause in milliseconds; the next one is twice as long. */
  readonly pauseMs: number;
}

/** A pause in dispatching because too many runs were silent; it survives restarts. Undefined: no pause. */
export interface WithBackOff {
  readonly backOff: BackOff | undefined;
}

interface BackOffDecision extends BaseDecision {
  readonly do: 'back-off';
  /** Undefined ends the pause. */
  readonly backOff?: BackOff;
}

type Decision = BackOffDecision | KillDecision;

export const breaker: Part<WithBackOff, Decision> = { none: { backOff: undefined }, decide: zeroOutput };

/**
 * Phase 1.3: ends silent runs of clients. The second silent run in a row fails the task, which is decided when the run
 * is settled. If half of the running clients are silent, something they all depend on is down: dispatching pauses,
 * twice as long each time.
 */
function zeroOutput(tick: Tick<WithBackOff, Decision>): void {
  const { facts, now } = tick;
  const clients = tick.clientRuns.filter((run) => run.alive && run.exit === undefined);
  const silent = clients.filter((run) => isSilent(run, now, tick.facts.terms.silentMs));
  for (const run of silent) if (run.ended === undefined) tick.want(endSilent(run, tick.facts.terms.silentMs));
  const backOff = believable(facts.backOff, now);
  if (clients.length >= WORK_LIMITS.silentRunsLeast && silent.length * 2 >= clients.length) {
    if (backOff && now < backOff.until) {
      tick.backOffUntil = backOff.until;
      return;
    }
    const pauseMs = Math.min(WORK_LIMITS.backOffMostMs, backOff ? backOff.pauseMs * 2 : WORK_LIMITS.backOffLeastMs);
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

/**
 * Whether a run made no progress within `silentMs`. Output before the first event of a client does not count: only
 * progress on the work does.
 */
function isSilent(run: RunFact, now: number, silentMs: number): boolean {
  return run.progressAt === undefined && now - run.startedAt >= silentMs;
}

function endSilent(run: RunFact, silentMs: number): KillDecision {
  return kill(run, 'silent', `It has said nothing for ${silentMs / 1_000} s`);
}

/** Ignores a pause that would last longer than its own length: the clock was set back meanwhile. */
function believable(backOff: BackOff | undefined, now: number): BackOff | undefined {
  return backOff && backOff.until - now > backOff.pauseMs ? undefined : backOff;
}

/** Ends a run. */
export interface KillDecision extends BaseDecision {
  readonly do: 'kill';
  readonly run: string;
  readonly task: string;
  readonly why: EndReason;
}

export function kill(run: RunFact, why: EndReason, reason: string): KillDecision {
  return { do: 'kill', run: run.id, task: run.taskId, why, reason, events: [] };
}
