import type {
  AttemptBoard,
  AttemptCard,
  AttemptTerms,
  NewAttempt,
  PostedAttempt,
} from '#adapters/workers/attempt-board.js';
import { toldOf, toldReports } from '#adapters/workers/told-schema.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { freshId } from '#kernel/hash.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { LeaderCard, SealedText } from '#ports/leader-seal.js';
import type { ListedWorker } from '#ports/storage.js';
import type {
  AttemptEnd,
  AttemptReport,
  HeartbeatAnswer,
  RunPiece,
  WorkerCard,
  WorkerGateway,
} from '#ports/worker-gateway.js';

type Changing<Kind> = { -readonly [Field in keyof Kind]: Kind[Field] };
type Attempt = Changing<PostedAttempt> & { order?: SealedText; offeredAt: number; limit?: SealedText };
interface Worker {
  readonly card: WorkerCard;
  readonly token: { readonly key: string };
  seenAt: number;
  asked: 'work' | 'drain' | 'stop';
  reports: readonly AttemptReport[];
  /** Attempts taken by the previous process, until the first heartbeat. */
  inherited: readonly Attempt[];
}

/** The board and its gateways in memory, for tests that need no database. */
export class WorkersInMemory {
  readonly attempts = new Map<string, Attempt>();
  readonly forgotten = new Map<string, Attempt>();
  readonly workers = new Map<string, Worker>();
  readonly pieces = new Map<string, Buffer>();
  readonly refused: AttemptEnd[] = [];
  /** The last one is the current leader. */
  readonly leaders = new Map<string, LeaderCard>();
  readonly clock: Clock;
  private readonly leaderNews = new Set<() => void>();
  private readonly workerNews = new Set<() => void>();

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** Opens the board of a further leader. */
  board(): AttemptBoard {
    const own = new Set<() => void>();
    return {
      look: async (_, terms) => ({
        whole: true,
        attempts: [...this.attempts.values()].map((attempt) => this.posted(attempt)),
        workers: [...this.workers.values()].map((worker) => ({
          ...this.row(worker),
          gone: false,
          ...toldReports(
            worker.reports.map(({ fact }) => fact.id),
            worker.reports.map((report) => JSON.stringify(report)),
          ),
        })),
        overdue: this.overdue(terms).length > 0,
        mark: { attempts: '0', workers: '0' },
      }),
      introduce: async (leader) => {
        this.leaders.delete(leader.key);
        this.leaders.set(leader.key, leader);
      },
      keep: async (attempt) => this.post(attempt, 'prepared'),
      offer: async (attempt, order) => this.post(attempt, 'offered', order),
      refuse: async (card, reason) => this.refuse(card, reason),
      discard: async (run) => {
        if (this.attempts.get(run)?.state === 'prepared') this.attempts.delete(run);
      },
      end: async (run, why) => {
        const attempt = this.attempts.get(run);
        if (attempt === undefined || attempt.state === 'ended') return undefined;
        attempt.wishedEnd ??= why;
        if (attempt.state === 'running') return 'running';
        Object.assign(attempt, { state: 'ended', outcome: 'withdrawn' });
        return 'ended';
      },
      allow: async (run, limit) => {
        const attempt = this.attempts.get(run);
        if (attempt) attempt.limit = limit;
      },
      completed: async () => [],
      forget: async (run) => {
        const attempt = this.attempts.get(run);
        if (attempt) this.forgotten.set(run, attempt);
        this.attempts.delete(run);
      },
      expire: async (terms) => {
        for (const attempt of this.overdue(terms))
          if (attempt.state === 'offered') Object.assign(attempt, { state: 'ended', outcome: 'untaken' });
          else this.lose(attempt);
      },
      prune: async () => undefined,
      tellWorkers: async () => {
        for (const tell of [...this.workerNews]) tell();
      },
      onNews: (listener) => {
        own.add(listener);
        this.leaderNews.add(listener);
        listener();
        return () => this.leaderNews.delete(listener);
      },
      close: async () => {
        for (const listener of own) this.leaderNews.delete(listener);
      },
    };
  }

  /** Opens the gateway of a further worker process. */
  desk(key = freshId()): WorkerGateway {
    const token = { key };
    const listeners = new Set<() => void>();
    let name = '';
    const me = () => {
      const worker = this.workers.get(name);
      if (worker?.token !== token) throw new TroupeError('not_found', { what: `${name} is not at work here.` });
      worker.seenAt = this.clock.now();
      return worker;
    };
    const isMine = (run: string, fence?: number) => {
      const attempt = this.attempts.get(run);
      const isRunning = attempt?.state === 'running' && attempt.worker === name;
      return (
        this.workers.get(name)?.token === token && isRunning && (fence ?? attempt.card.fence) === attempt.card.fence
      );
    };
    return {
      clock: this.clock,
      leaders: async () => [...this.leaders.values()].reverse().map((leader, at) => ({ ...leader, leads: at === 0 })),
      registerWorker: async (card) => {
        const before = this.workers.get(card.name);
        if (before && before.token.key !== key) {
          if (before.seenAt > this.clock.now() - DATABASE_LIMITS.workerLeaseMs) throw new TroupeError('worker_exists');
        }
        name = card.name;
        const same =
          before?.token === token ? before : { asked: 'work' as const, reports: [], inherited: this.taken(name) };
        this.workers.set(name, { ...same, card, token, seenAt: this.clock.now() });
        this.tellLeader();
      },
      take: async (most, known) => {
        const { card, asked } = me();
        if (asked !== 'work') return [];
        const room = card.slots - this.taken(name).length;
        const offered = [...this.attempts.values()].filter(({ state }) => state === 'offered');
        const fit = offered.filter(
          ({ labels, order, card: { executor } }) =>
            order !== undefined &&
            card.leaders.includes(order.key) &&
            labels.every((label) => card.labels.includes(label)) &&
            (executor === undefined || card.executors.includes(executor)),
        );
        const mine = fit.sort((left, right) => left.offeredAt - right.offeredAt).slice(0, Math.min(most, room));
        for (const attempt of mine) Object.assign(attempt, { state: 'running', worker: name });
        this.tellLeader();
        const unknown = this.taken(name).filter(({ card: { run } }) => !known.includes(run));
        return unknown.flatMap(({ order, card: { run, taskId: task, fence } }) =>
          order === undefined ? [] : [{ run, task, fence, order }],
        );
      },
      beat: async (reports) => this.answer(me(), reports, isMine),
      append: async (run, fence, piece) => isMine(run, fence) && this.append(run, piece),
      end: async (end) => {
        const { id, fence } = end.fact;
        const attempt = this.attempts.get(id) ?? this.forgotten.get(id);
        if (attempt?.worker === name && JSON.stringify(attempt.end) === JSON.stringify(end)) return 'taken';
        if (!isMine(id, fence)) {
          this.refused.push(end);
          return 'refused';
        }
        Object.assign(attempt as Attempt, { state: 'ended', outcome: 'told', end });
        this.tellLeader();
        return 'taken';
      },
      ask: async (run, fence, line) => `${run} ${fence} ${line}`,
      onWorkAvailable: (listener) => {
        listeners.add(listener);
        this.workerNews.add(listener);
        listener();
        return () => this.workerNews.delete(listener);
      },
      unregisterWorker: async () => {
        for (const listener of listeners) this.workerNews.delete(listener);
        if (this.workers.get(name)?.token !== token) return;
        this.loseAll(name);
        this.workers.delete(name);
        this.tellLeader();
      },
    };
  }

  private post({ card, labels }: NewAttempt, state: 'prepared' | 'offered', order?: SealedText): void {
    const before = this.attempts.get(card.run)?.state ?? 'prepared';
    const signed = order === undefined ? {} : { order };
    if (before === 'prepared')
      this.attempts.set(card.run, { card, labels, ...signed, state, offeredAt: this.clock.now() });
  }

  private get leading(): LeaderCard | undefined {
    return [...this.leaders.values()].at(-1);
  }

  private refuse(card: AttemptCard, reason: string): void {
    const { state } = this.attempts.get(card.run) ?? { state: 'prepared' };
    if (state === 'prepared' || state === 'offered')
      this.attempts.set(card.run, { card, labels: [], state: 'ended', outcome: 'refused', reason, offeredAt: 0 });
  }

  private posted({ order: _, offeredAt: __, limit: ___, ...attempt }: Attempt): PostedAttempt {
    const report = attempt.state === 'running' ? this.reportOf(attempt) : attempt.report;
    const { end, ...posted } = attempt;
    const text = (words: object | undefined) => (words === undefined ? undefined : JSON.stringify(words));
    return { ...posted, ...toldOf(text(report), text(end)) };
  }

  private reportOf({ worker, card }: Pick<Attempt, 'worker' | 'card'>): AttemptReport | undefined {
    return this.workers.get(worker ?? '')?.reports.find(({ fact }) => fact.id === card.run);
  }

  private overdue({ untakenMs, leaseMs }: AttemptTerms): Attempt[] {
    const now = this.clock.now();
    const isSilent = (name = '') => (this.workers.get(name)?.seenAt ?? 0) <= now - leaseMs;
    return [...this.attempts.values()].filter(({ state, offeredAt, worker }) =>
      state === 'offered' ? offeredAt < now - untakenMs : state === 'running' && isSilent(worker),
    );
  }

  private lose(attempt: Attempt): void {
    const report = this.reportOf(attempt);
    Object.assign(attempt, { state: 'ended', outcome: 'lost', ...(report === undefined ? {} : { report }) });
  }

  private loseAll(name: string): void {
    for (const attempt of this.taken(name)) this.lose(attempt);
  }

  private taken(name: string): Attempt[] {
    return [...this.attempts.values()].filter(({ state, worker }) => state === 'running' && worker === name);
  }

  private answer(worker: Worker, reports: readonly AttemptReport[], isMine: (run: string) => boolean): HeartbeatAnswer {
    for (const attempt of worker.inherited)
      if (!reports.some(({ fact }) => fact.id === attempt.card.run)) this.lose(attempt);
    Object.assign(worker, { reports, inherited: [] });
    this.tellLeader(); // with a database the leader polls
    const wishes = this.taken(worker.card.name).filter(({ wishedEnd, limit }) => (wishedEnd ?? limit) !== undefined);
    return {
      asked: worker.asked,
      leader: this.leading,
      now: this.clock.now(),
      lost: reports.map(({ fact }) => fact.id).filter((run) => !isMine(run)),
      wishes: wishes.map(({ card: { run, fence }, wishedEnd, limit }) => ({
        ...{ run, fence },
        ...(wishedEnd === undefined ? {} : { end: wishedEnd }),
        ...(limit === undefined ? {} : { limit }),
      })),
    };
  }

  private append(run: string, { of, from, bytes }: RunPiece): boolean {
    const kept = this.pieces.get(`${run} ${of}`) ?? Buffer.alloc(0);
    const others = [...this.pieces].filter(([key]) => key.startsWith(`${run} `) && key !== `${run} ${of}`);
    const room = DATABASE_LIMITS.runBytes - others.reduce((sum, [, { length }]) => sum + length, kept.length);
    const piece = bytes.subarray(kept.length - from, kept.length - from + room);
    this.pieces.set(`${run} ${of}`, Buffer.concat([kept, piece]));
    return piece.length < room;
  }

  standing(): ListedWorker[] {
    return [...this.workers.values()].map((worker) => ({
      ...this.row(worker),
      attempts: this.taken(worker.card.name).map(({ card: { run, taskId } }) => ({ run, taskId })),
    }));
  }

  private row({ card, seenAt, asked }: Worker): Omit<ListedWorker, 'attempts'> {
    const unagreed = this.leading !== undefined && !card.leaders.includes(this.leading.key);
    return { ...card, seenAt, asked, unagreed, silent: seenAt <= this.clock.now() - DATABASE_LIMITS.workerLeaseMs };
  }

  tellLeader(): void {
    for (const tell of [...this.leaderNews]) tell();
  }
}
