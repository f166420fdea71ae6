import type { PostgresDatabase, SqlQueries } from '#adapters/postgres/database.js';
import { type Head, presentHead, refuseUnused } from '#adapters/postgres/head.js';
import type { EntryLine } from '#core/graph/entries.js';
import type { Entry } from '#core/graph/event.js';
import { parseOwnGraph } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import type { GraphView } from '#core/graph/view.js';
import { LazyGraph } from '../lazy-graph.js';
import { longTail } from '../long-tail.js';
import { entriesBetween, logRows, parsedRow } from './event-rows.js';
import { type KeptBase, keepBase, latestBase } from './snapshot-rows.js';

/** Graph as last read from the database, with its log position. */
export class DatabaseState {
  private readonly database: PostgresDatabase;
  private graph = LazyGraph.of(new GraphState());
  private lastId: string | undefined;
  private laterEntry = false;
  /** `seq` of the latest snapshot. */
  private baseSeq = 0;
  private isUsable = false;
  /** Graph before the change in progress. */
  private before: GraphView | undefined;
  private latest: Promise<unknown> = Promise.resolve();
  private keeping: Promise<void> | undefined;

  constructor(database: PostgresDatabase) {
    this.database = database;
  }

  /** Id of the last entry, the predecessor of the next. */
  get last(): string | undefined {
    return this.lastId;
  }

  /** Whether an entry was written by a later version; only that version may continue the log. */
  get hasLaterEntry(): boolean {
    return this.laterEntry;
  }

  /** Serialises reads and changes of the graph, which wait for the database in between. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.latest.then(work);
    this.latest = done.catch(() => undefined);
    return done;
  }

  /** Returns an immutable view. `othersWrite`: read their entries first. */
  async picture(othersWrite: boolean): Promise<GraphView> {
    if (!othersWrite && this.isUsable) return this.before ?? this.graph.view();
    return await this.alone(async () => {
      const head = await presentHead(this.database, this.database.clock);
      refuseUnused(head); // nothing is added to an unused project
      await this.follow(this.database, head);
      return this.graph.view();
    });
  }

  /** Computes indexes in advance, for a process that holds the graph for life. */
  prepare(): void {
    this.graph.whole.runnable();
  }

  /** Reads the entries up to `head` in the transaction that read it. Reloads everything if the log was replaced. */
  async follow(queries: SqlQueries, head: Head): Promise<void> {
    const lastId = head.last_id ?? undefined;
    if (this.isUsable && head.seq === this.graph.seq && lastId === this.lastId) return;
    if (!this.isUsable || head.seq <= this.graph.seq) await this.load(queries);
    for await (const rows of logRows(queries, this.graph.seq + 1, head.seq)) {
      const parsed = rows.map(parsedRow);
      if (this.lastId !== undefined && parsed[0]?.entry.prev !== this.lastId) {
        this.invalidate(); // another log replaced ours, for example after a restore
        await this.follow(queries, head);
        return;
      }
      for (const { entry, later } of parsed) {
        this.graph.apply(entry);
        this.laterEntry ||= later;
      }
      this.lastId = parsed.at(-1)?.entry.id;
    }
    this.lastId = lastId;
  }

  /** Changes the graph. The change is visible only after `settle`. */
  change<Result>(decide: (graph: LazyGraph) => Result): Result {
    this.before = this.graph.view();
    return decide(this.graph);
  }

  /** Publishes a change after it was written. */
  settle(lines: readonly EntryLine[]): void {
    this.before = undefined;
    this.lastId = lines.at(-1)?.entry.id ?? this.lastId;
  }

  /** Discards the cached state after a failed or unknown write: the next read reloads everything. */
  invalidate(): void {
    this.isUsable = false;
    this.before = undefined;
  }

  /** Packs the graph once the log's tail has grown long, but no more often than its cost justifies. */
  packIfDue(): void {
    const tail = this.graph.seq - this.baseSeq;
    if (this.keeping || tail <= longTail(this.graph.size)) return;
    this.keep().catch(() => undefined); // the log has all of it; the next change retries
  }

  /** Packs the present graph and returns its `seq`. */
  async keep(): Promise<number> {
    await this.idle();
    const picture = this.graph.whole.freeze();
    this.keeping = keepBase(this.database, picture, this.lastId).finally(() => {
      this.keeping = undefined;
    });
    await this.keeping;
    this.baseSeq = picture.seq;
    return picture.seq;
  }

  /** Resolves once no packing is in progress. */
  async idle(): Promise<void> {
    await this.keeping?.catch(() => undefined);
  }

  private async load(queries: SqlQueries): Promise<void> {
    const base = await latestBase(queries);
    this.graph = base === undefined ? LazyGraph.of(new GraphState()) : graphFrom(base);
    this.baseSeq = base?.seq ?? 0;
    this.lastId = undefined;
    this.laterEntry = false;
    this.isUsable = true;
  }
}

/** Returns the graph after the entry `seq`, which is not the last one. */
export async function stateAt(queries: SqlQueries, seq: number): Promise<GraphState> {
  const base = await latestBase(queries, seq);
  const state = base === undefined ? new GraphState() : stateFrom(base);
  for await (const entries of entriesBetween(queries, state.seq + 1, seq))
    for (const entry of entries) state.apply(entry);
  return state;
}

export function stateFrom(base: KeptBase): GraphState {
  const nodes = parseOwnGraph([base.nodes]);
  const state = new GraphState(undefined, nodes.length);
  state.load(nodes, base.seq, base);
  return state;
}

function graphFrom(base: KeptBase): LazyGraph {
  const { nodes, seq, retired, lastRun } = base;
  const lines = { text: () => nodes, outline: undefined, seq, retired: () => retired, lastRun };
  const stateOf = (entries: readonly Entry[]) => {
    const state = stateFrom(base);
    for (const entry of entries) state.apply(entry);
    return state;
  };
  return LazyGraph.from({ lines, stateOf, retiredSeq: seq }, []);
}
