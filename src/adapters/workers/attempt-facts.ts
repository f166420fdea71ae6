import type { EndReason, RunFact } from '#core/coordinator/snapshot.js';
import { Vacancies, type WorkerRoom } from '#core/coordinator/worker-facts.js';
import type { RunStatus } from '#core/runs/run-status.js';
import { timestamp } from '#kernel/clock.js';
import { countUp } from '#kernel/numbers.js';
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

/** The same workers after all offers are assigned to their slots. */
export function roomsBeside(
  rooms: readonly WorkerRoom[],
  offered: Iterable<Pick<PostedAttempt, 'card' | 'labels'>>,
): readonly WorkerRoom[] {
  const waiting = [...offered];
  if (waiting.length === 0) return rooms;
  const vacancies = new Vacancies(rooms);
  const filled = new Map<string, number>();
  for (const { card, labels } of waiting) {
    const room = vacancies.find(card.executor ?? 'shell', labels)?.take();
    if (room) countUp(filled, room.name);
  }
  return rooms.map((room) => {
    const more = filled.get(room.name);
    return more === undefined ? room : { ...room, free: room.free - more };
  });
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
