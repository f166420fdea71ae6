import type { EndReason, RunFact } from '#core/coordinator/snapshot.js';
import { kindKey, type RoomKind, Vacancies, type WorkerRoom } from '#core/coordinator/vacancies.js';
import type { RunStatus } from '#core/runs/run-status.js';
import { timestamp } from '#kernel/clock.js';
import { countUp, numberOf } from '#kernel/numbers.js';
import type { ListedRun } from '#ports/run-host.js';
import type { BoardWorker, PostedAttempt } from './attempt-board.js';

const UNTAKEN = 'no worker took it';

/**
 * Converts an attempt to the coordinator's run fact. The worker's report is trusted about the run, but not about its
 * identity, which the board knows. The attempt counts as alive until its end is reported, even while its worker hands
 * over the work.
 */
export function attemptFact(attempt: PostedAttempt): RunFact {
  const { state, outcome, report, end } = attempt;
  const own = ownFacts(attempt);
  if (outcome === 'told' && end !== undefined)
    return { ...end.fact, ...own, alive: false, started: end.fact.started, outputBytes: end.fact.outputBytes };
  const { exit, result, startError, leaseUntil, alive, ...known } = report?.fact ?? NOTHING_KNOWN;
  // A finished run has no heartbeats while its worker hands over the work.
  const lease = state === 'running' && alive && leaseUntil !== undefined ? { leaseUntil } : {};
  const ended = attempt.wishedEnd ?? known.ended;
  return {
    ...known,
    ...own,
    ...lease,
    alive: state !== 'ended',
    started: state !== 'ended' || outcome === 'lost' || outcome === 'garbled',
    ...(ended === undefined || outcome === 'withdrawn' ? {} : { ended }),
    ...startFault(attempt),
    ...(outcome === 'garbled' ? { garbledEnd: attempt.reason ?? '' } : {}),
  };
}

/** Converts an attempt to a row for people and programs. */
export function listedAttempt(attempt: PostedAttempt): ListedRun {
  const { card, report, end, worker } = attempt;
  const { pid, ...told } = end?.listed ?? report?.listed ?? {};
  return {
    ...told,
    id: card.run,
    task_id: card.taskId,
    executor: card.executor ?? 'shell',
    status: statusOfAttempt(attempt),
    started_at: timestamp(card.startedAt),
    ...(card.model === undefined ? {} : { model: card.model }),
    ...(worker === undefined ? {} : { worker }),
  };
}

/** Free slots of a worker beside its attempts; undefined if it takes none. */
export function roomOf(worker: BoardWorker, taken: number): WorkerRoom | undefined {
  const { name, executors, labels, slots, asked, silent, gone, unagreed } = worker;
  if (asked !== 'work' || silent || gone || unagreed) return undefined;
  return { name, executors, labels, free: slots - taken };
}

/**
 * The same workers after all offers are assigned to their slots, those of the last workers of a kind first. `kinds` are
 * the kinds of the workers.
 */
export function roomsBeside(
  rooms: readonly WorkerRoom[],
  offered: Iterable<Pick<PostedAttempt, 'card' | 'labels'>>,
  kinds: Iterable<RoomKind>,
): readonly WorkerRoom[] {
  const vacancies = new Vacancies(kinds);
  const filled = new Map<string, number>();
  let left = 0;
  for (const { card, labels } of offered) {
    const kind = vacancies.find(card.executor ?? 'shell', labels)?.take();
    if (kind === undefined) continue;
    countUp(filled, kind);
    left++;
  }
  if (left === 0) return rooms;
  const beside = rooms.slice();
  for (let at = rooms.length - 1; at >= 0 && left > 0; at--) {
    const room = rooms[at];
    if (room === undefined || room.free <= 0) continue;
    const key = kindKey(room);
    const taken = Math.min(room.free, numberOf(filled, key));
    if (taken === 0) continue;
    beside[at] = { ...room, free: room.free - taken };
    filled.set(key, numberOf(filled, key) - taken);
    left -= taken;
  }
  return beside;
}

function statusOfAttempt({ state, outcome, end, wishedEnd }: PostedAttempt): RunStatus {
  if (state === 'ended') {
    const code = outcome === 'told' ? end?.fact.exit?.code : undefined;
    return code === undefined ? 'dead' : code === 0 ? 'done' : 'failed';
  }
  return wishedEnd !== undefined ? 'stopping' : state === 'running' ? 'working' : 'starting';
}

const NOTHING_KNOWN: Pick<RunFact, 'outputBytes'> & Partial<RunFact> & { readonly ended?: EndReason } = {
  outputBytes: 0,
};

function ownFacts({ card }: PostedAttempt) {
  return {
    id: card.run,
    taskId: card.taskId,
    fence: card.fence,
    startedAt: card.startedAt,
    timeoutMs: card.timeoutMs,
    elsewhere: true as const,
    ...(card.executor === undefined ? {} : { executor: card.executor }),
    ...(card.silentEnd === undefined ? {} : { silentEnd: card.silentEnd }),
    ...(card.branch === undefined ? {} : { branch: card.branch }),
  };
}

/** Start error: no worker took it, or it was refused. A withdrawn attempt is not an error. */
function startFault({ outcome, reason }: PostedAttempt): Pick<RunFact, 'startError'> {
  if (outcome === 'untaken') return { startError: UNTAKEN };
  return outcome === 'refused' && reason !== undefined ? { startError: reason } : {};
}
