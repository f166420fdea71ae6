import type { Decision } from '#core/coordinator/decision.js';
import type { BackOff, RunFact } from '#core/coordinator/snapshot.js';
import type { Tick } from '#core/coordinator/tick.js';
import { LIMITS } from '#kernel/limits.js';

/** The tag of a task that was given up because its runs said nothing. */
export const ZERO_OUTPUT_TAG = 'zero-output-circuit-broken';

/**
 * Phase 1.3: runs of model clients that say nothing. Each is ended; that its task fails the second time in a row is decided
 * when the run is settled. When half of those alive are silent, something all of them need is down: nothing is dispatched
 * for a while, and for longer each time.
 */
export function zeroOutput(tick: Tick): void {
  const { snapshot, now } = tick;
  const clients = snapshot.runs.filter((run) => run.alive && run.exit === undefined && isClient(run));
  const silent = clients.filter((run) => isSilent(run, now, tick.terms.silentMs));
  for (const run of silent) if (run.ended === undefined) tick.decisions.push(endSilent(run, tick.terms.silentMs));
  const backOff = believable(snapshot.backOff, now);
  if (clients.length >= LIMITS.silentRunsLeast && silent.length * 2 >= clients.length) {
    if (backOff && now < backOff.until) {
      tick.backOffUntil = backOff.until;
      return;
    }
    const pauseMs = Math.min(LIMITS.backOffMostMs, backOff ? backOff.pauseMs * 2 : LIMITS.backOffLeastMs);
    tick.decisions.push({
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
    tick.decisions.push({ do: 'back-off', reason: 'A run has said something', events: [] });
    return;
  }
  tick.backOffUntil = backOff.until;
}

function isClient(run: RunFact): boolean {
  return run.executor !== undefined && run.executor !== 'shell';
}

/** What a client prints before its first event counts as nothing: only what moves the work on is progress. */
function isSilent(run: RunFact, now: number, silentMs: number): boolean {
  return run.progressAt === undefined && now - run.startedAt >= silentMs;
}

function endSilent(run: RunFact, silentMs: number): Decision {
  const reason = `It has said nothing for ${silentMs / 1_000} s`;
  return { do: 'kill', run: run.id, task: run.taskId, why: 'silent', reason, events: [] };
}

/** A pause that is still to last longer than it was made for comes from a clock that was set back since: it is over. */
function believable(backOff: BackOff | undefined, now: number): BackOff | undefined {
  return backOff && backOff.until - now > backOff.pauseMs ? undefined : backOff;
}
