import type { RunFact } from '#core/coordinator/snapshot.js';
import { RoomKinds, type WorkerRoom } from '#core/coordinator/vacancies.js';
import type { SilentWorker, WorkerProblem } from '#core/coordinator/worker-facts.js';
import type { AttemptReport } from '#ports/worker-gateway.js';
import type { BoardWorker, PostedAttempt } from './attempt-board.js';
import { attemptFact, roomOf, roomsBeside } from './attempt-facts.js';

/** Leader's cache of the board with derived values. Each tick reads all of them, so only what changed is recomputed. */
export class AttemptPicture {
  private readonly attempts = new Map<string, PostedAttempt>();
  private readonly workers = new Map<string, BoardWorker>();
  /** Latest report of each run, with the reporting worker. */
  private readonly reports = new Map<string, { readonly by: string; readonly report: AttemptReport }>();
  /** Facts of the attempts beyond preparation. */
  private readonly known = new Map<string, RunFact>();
  /** Number of running attempts by worker. */
  private readonly taken = new Map<string, number>();
  private readonly offered = new Map<string, PostedAttempt>();
  /** Free slots of workers that take attempts, before offers are assigned. */
  private readonly rooms = new Map<string, WorkerRoom>();
  private readonly kinds = new RoomKinds();
  private allFacts: readonly RunFact[] | undefined;
  private allRooms: readonly WorkerRoom[] | undefined;

  get(run: string): PostedAttempt | undefined {
    return this.attempts.get(run);
  }

  has(run: string): boolean {
    return this.attempts.has(run);
  }

  runs(): readonly string[] {
    return [...this.attempts.keys()];
  }

  /** Attempts beyond preparation. */
  begun(): readonly PostedAttempt[] {
    return [...this.attempts.values()].filter(({ state }) => state !== 'prepared');
  }

  /** Returns whether the attempt changed. */
  set(run: string, attempt: PostedAttempt): boolean {
    const before = this.attempts.get(run);
    const told = this.reports.get(run);
    const isOwn = attempt.state === 'running' && told?.by === attempt.worker;
    const report = isOwn ? told?.report : attempt.report;
    const next = report === undefined ? attempt : { ...attempt, report };
    if (before !== undefined && JSON.stringify(before) === JSON.stringify(next)) return false;
    this.count(before, -1);
    this.attempts.set(run, next);
    this.count(next, 1);
    if (next.state === 'prepared') this.known.delete(run);
    else this.known.set(run, attemptFact(next));
    this.allFacts = undefined;
    return true;
  }

  delete(run: string): boolean {
    const before = this.attempts.get(run);
    this.count(before, -1);
    this.known.delete(run);
    this.reports.delete(run);
    this.allFacts = undefined;
    return this.attempts.delete(run);
  }

  /** Updates a worker. Returns whether the coordinator needs to know. */
  setWorker(worker: BoardWorker): boolean {
    const { name, reports, seenAt: _, ...standing } = worker;
    const { reports: __, seenAt: ___, ...before } = this.workers.get(name) ?? { name };
    this.workers.set(name, worker);
    let isOther = JSON.stringify({ name, ...standing }) !== JSON.stringify(before);
    if (worker.gone) this.workers.delete(name);
    if (isOther) this.place(name);
    for (const report of reports) {
      const { id: run } = report.fact;
      const attempt = this.attempts.get(run);
      if (attempt === undefined) continue;
      this.reports.set(run, { by: name, report });
      isOther = this.set(run, attempt) || isOther;
    }
    return isOther;
  }

  /** Removes workers missing from a full look. Returns whether there were any. */
  keepWorkers(seen: ReadonlySet<string>): boolean {
    const lost = [...this.workers.keys()].filter((name) => !seen.has(name));
    for (const name of lost) {
      this.workers.delete(name);
      this.place(name);
    }
    return lost.length > 0;
  }

  fact(run: string): RunFact | undefined {
    return this.known.get(run);
  }

  facts(): readonly RunFact[] {
    this.allFacts ??= [...this.known.values()];
    return this.allFacts;
  }

  vacant(): readonly WorkerRoom[] {
    if (this.allRooms === undefined) {
      const rooms = [...this.rooms.values()];
      this.allRooms = roomsBeside(rooms, this.offered.values(), this.kinds.of(rooms));
    }
    return this.allRooms;
  }

  silent(): readonly SilentWorker[] {
    return [...this.workers.values()].flatMap(({ name, seenAt, silent }) => (silent ? [{ name, since: seenAt }] : []));
  }

  worries(): readonly WorkerProblem[] {
    return [...this.workers.values()].flatMap(({ name, labels, silent, unagreed, unread }): WorkerProblem[] => [
      ...(unagreed && !silent ? [{ kind: 'unagreed' as const, name, labels }] : []),
      ...unread.map(({ run, why }) => ({ kind: 'garbled' as const, name, run, why })),
    ]);
  }

  /** Adds an attempt to the counts (`by` 1) or removes it (-1). */
  private count(attempt: PostedAttempt | undefined, by: 1 | -1): void {
    if (attempt === undefined) return;
    const { state, worker, card } = attempt;
    if (state === 'running' && worker !== undefined) {
      this.taken.set(worker, (this.taken.get(worker) ?? 0) + by);
      this.place(worker);
    }
    if (state === 'offered' && by === 1) this.offered.set(card.run, attempt);
    else this.offered.delete(card.run);
    if (state === 'offered') this.allRooms = undefined;
  }

  /** Recomputes a worker's free slots. */
  private place(name: string): void {
    const worker = this.workers.get(name);
    const room = worker && roomOf(worker, this.taken.get(name) ?? 0);
    if (room) this.rooms.set(name, room);
    else this.rooms.delete(name);
    this.allRooms = undefined;
  }
}
