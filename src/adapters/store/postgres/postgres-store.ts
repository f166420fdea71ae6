/**
 * The graph in the tables of a PostgreSQL database: log, snapshots, followers, copies, the checks of `doctor`.
 * @packageDocumentation
 */
import { setTimeout } from 'node:timers/promises';
import type { PostgresDatabase, SqlQueries } from '#adapters/postgres/database.js';
import type { Leadership } from '#adapters/postgres/leadership.js';
import { WriterTurn } from '#adapters/postgres/turn.js';
import { type ArchiveQuery, archivedIn, matchingTasks } from '#core/graph/archived.js';
import { departedNodes } from '#core/graph/departed.js';
import type { Entry, Plan } from '#core/graph/event.js';
import { graphText } from '#core/graph/line.js';
import { isTask, type Task } from '#core/graph/task.js';
import { momentOf } from '#core/graph/time.js';
import type { GraphView } from '#core/graph/view.js';
import type { Clock } from '#kernel/clock.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { RequestMark } from '#kernel/request.js';
import { runAll } from '#kernel/steps.js';
import type { Commit, ExclusiveGraph, GraphFiles, StoreProblem } from '#ports/graph-store.js';
import { CommitQueue, type QueuedCommit } from '../commit-queue.js';
import { type DecidedRound, decideRound } from '../commit-round.js';
import { KeptAnswers } from '../kept-answers.js';
import type { LazyGraph } from '../lazy-graph.js';
import { DatabaseState, stateAt } from './database-state.js';
import { EventFollower } from './event-follower.js';
import {
  answeringEntries,
  appendEvents,
  entriesAt,
  entriesBetween,
  foreignEntries,
  lastSeqUntil,
  requestIn,
} from './event-rows.js';

const LOOK_EVERY_MS = 500;
const NOTHING = () => ({ events: [], result: undefined });

interface PostgresStoreParts {
  readonly database: PostgresDatabase;
  /** Set for a process that holds the graph for life; undefined for reads and single changes. */
  readonly leadership?: Leadership;
  /** Polled while another process leads; returning true stops waiting. */
  readonly stopWaiting?: () => boolean;
  /** Maximum time to search for a commit whose answer was lost, in milliseconds. */
  readonly unsureMs?: number;
}

/**
 * Graph store in PostgreSQL tables. Every change is appended to `events` in one transaction; a view in memory follows
 * the table. Changes that arrive together share one transaction.
 */
export class PostgresStore implements ExclusiveGraph {
  readonly clock: Clock;
  /** Writer's turn, shared with the other data in this database. */
  readonly turn: WriterTurn;
  readonly files: GraphFiles = {
    text: async (view) => graphText(view.nodes(), [], []),
    snapshot: () => this.snapshot(),
    rotate: async () => undefined,
  };
  private readonly database: PostgresDatabase;
  private readonly leadership: Leadership | undefined;
  private readonly state: DatabaseState;
  private readonly rounds = new CommitQueue((round) => this.take(round));
  private readonly answers = new KeptAnswers();
  private readonly follower: EventFollower;
  private readonly unsureMs: number;
  private closed = false;

  private constructor(parts: PostgresStoreParts) {
    const { database, leadership, stopWaiting, unsureMs = DATABASE_LIMITS.unsureMs } = parts;
    this.unsureMs = unsureMs;
    this.database = database;
    this.clock = database.clock;
    this.leadership = leadership;
    this.turn = leadership?.turn ?? new WriterTurn(database, stopWaiting === undefined ? {} : { stopWaiting });
    this.state = new DatabaseState(database);
    this.follower = new EventFollower(database, leadership === undefined);
  }

  /** Opens the store. It owns and closes the connection and the leadership. */
  static async open(parts: PostgresStoreParts): Promise<PostgresStore> {
    const store = new PostgresStore(parts);
    try {
      await store.state.picture(true);
    } catch (error) {
      await store.close();
      throw error;
    }
    if (parts.leadership) store.state.prepare(); // computed once here, not for every view
    return store;
  }

  get epoch(): number {
    return this.leadership?.epoch ?? 0;
  }

  get lost(): boolean {
    return this.leadership?.lost === true;
  }

  async view(at?: number | string): Promise<GraphView> {
    const picture = await this.state.picture(this.leadership === undefined);
    if (at === undefined) return picture;
    const seq = typeof at === 'string' ? await lastSeqUntil(this.database, momentOf(at)) : at;
    return seq >= picture.seq ? picture : await stateAt(this.database, seq);
  }

  commit<Result>(decide: (view: GraphView) => Plan<Result>, request: RequestMark = {}): Promise<Commit<Result>> {
    if (this.closed || this.lost) return Promise.reject(this.isClosed());
    return this.rounds.commit(decide, request);
  }

  async exclusively<Result>(work: () => Result): Promise<Result> {
    if (this.closed || this.lost) throw this.isClosed();
    return await this.turn.take(async () => work());
  }

  async *entries(from: number, to = Number.POSITIVE_INFINITY): AsyncIterable<Entry> {
    if (from < 1) yield* foreignEntries(this.database);
    for await (const entries of entriesBetween(this.database, Math.max(1, from), to)) yield* entries;
  }

  async *follow(from: number, signal: AbortSignal): AsyncIterable<Entry> {
    yield* this.follower.follow(from, signal);
  }

  async archived(query: ArchiveQuery): Promise<readonly Task[]> {
    const departures = archivedIn(await this.view());
    const entries = await entriesAt(this.database, [...new Set([...departures.values()].map(({ seq }) => seq))]);
    const tasks = entries.flatMap((entry) =>
      departedNodes(entry)
        .filter(isTask)
        .filter(({ id }) => departures.get(id)?.seq === entry.seq),
    );
    return matchingTasks(tasks, query);
  }

  async health(): Promise<readonly StoreProblem[]> {
    const text = 'written by a later version';
    return this.state.hasLaterEntry ? [{ severity: 'error', code: 'newer_format', text }] : [];
  }

  async retire(): Promise<void> {
    if (this.closed || this.lost) throw this.isClosed();
    await this.rounds.idle();
    await this.turn.take((queries) => queries.query("UPDATE head SET state = 'retired'"));
    await this.close();
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    const { rounds, state, follower, database } = this;
    const release = async () => {
      await this.leadership?.release().catch((error) => {
        if (!isRefusal(error, 'database_away')) throw error; // the lease expires by itself
      });
    };
    await runAll([() => rounds.idle(), () => state.idle(), () => follower.close(), release, () => database.close()]);
  }

  private async take(round: readonly QueuedCommit[]): Promise<void> {
    const decided: DecidedRound[] = [];
    try {
      await this.state.alone(() => this.write(round, decided));
    } catch (error) {
      this.leadership?.noteFailure(error);
      for (const queued of round) queued.reject(error);
      return;
    }
    this.follower.tell(decided.flatMap(({ lines }) => lines));
    for (const { answer } of decided) answer();
    this.state.packIfDue();
  }

  /** Decides a round and appends it in one transaction. */
  private async write(round: readonly QueuedCommit[], decided: DecidedRound[]): Promise<void> {
    try {
      await this.turn.take(async (queries, head) => {
        await this.state.follow(queries, head);
        if (this.state.hasLaterEntry) throw new TroupeError('newer_format');
        await this.recall(queries, round);
        const one = this.state.change((graph) => decideRound(round, this.ground(graph)));
        decided.push(one);
        await appendEvents(queries, one.lines);
      });
    } catch (error) {
      if (!isRefusal(error, 'database_unsure') || !(await this.isWritten(decided))) {
        this.state.invalidate();
        throw error;
      }
    }
    this.state.settle(decided.flatMap(({ lines }) => lines));
  }

  private ground(graph: LazyGraph): Parameters<typeof decideRound>[1] {
    const { last: lastId } = this.state;
    const { answers, clock } = this;
    return { graph, lastId, now: clock.now(), pending: [], answers, inFlight: new Map(), mayBeOlder: false };
  }

  /** Loads earlier answers to the round's requests: the answering process may have been killed before it replied. */
  private async recall(queries: SqlQueries, round: readonly QueuedCommit[]): Promise<void> {
    const unknown = round.flatMap(({ request: { requestId, fresh } }) =>
      requestId === undefined || fresh || this.answers.of(requestId) ? [] : [requestId],
    );
    if (unknown.length === 0) return;
    for (const entry of await answeringEntries(queries, unknown)) {
      const request = requestIn(entry);
      if (request === undefined) continue;
      const commit = { seq: entry.seq, entries: [entry], result: request.result };
      this.answers.keep(request.id, { commit, input: request.input });
    }
  }

  /**
   * Whether a commit was carried out whose answer was lost. Locks the row of `head` first, to wait for a transaction
   * still active on the lost connection. Errors: `database_away` if it was not carried out. Returns false if the
   * database does not come back.
   */
  private async isWritten(decided: readonly DecidedRound[]): Promise<boolean> {
    const [first] = decided.flatMap(({ lines }) => lines);
    if (first === undefined) return true;
    const until = performance.now() + this.unsureMs;
    while (performance.now() <= until) {
      const isThere = await this.isThere(first.entry);
      if (isThere === true) return true;
      if (isThere === false)
        throw new TroupeError('database_away', {
          what: 'The database went away before it committed: nothing was changed.',
          details: { retriable: true },
        });
      await setTimeout(LOOK_EVERY_MS);
    }
    return false;
  }

  /** Whether the log contains an entry; undefined while the database is unreachable. */
  private async isThere({ seq, id }: Entry): Promise<boolean | undefined> {
    try {
      const [there] = await this.turn.look((queries) => entriesAt(queries, [seq]));
      return there?.id === id;
    } catch {
      return undefined; // unreachable or shutting down: the caller retries
    }
  }

  private async snapshot(): Promise<number> {
    await this.commit(NOTHING);
    return await this.state.alone(() => this.state.keep());
  }

  private isClosed(): TroupeError {
    if (!this.lost) return new TroupeError('internal', { what: 'The store is closed.' });
    return new TroupeError('locked', {
      what: 'This process no longer leads the project: its lease ran out, or another took it. Nothing was changed.',
      hint: 'Run the command again. If this ended a service, `troupe service start` starts another.',
      details: { epoch: this.epoch, retriable: true },
    });
  }
}
