import type { PostgresDatabase, SqlQueries } from '#adapters/postgres/database.js';
import { type Head, presentHead, refuseUnused } from '#adapters/postgres/head.js';
import type { EntryLine } from '#core/graph/entries.js';
import type { Entry } from '#core/graph/event.js';
import { parseOwnGraph } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import type { GraphView } from '#core/graph/view.js';
import { LIMITS } from '#kernel/limits.js';
import { LazyGraph } from '../lazy-graph.js';
import { entriesBetween, logRows, parsedRow } from './event-rows.js';
import { type KeptBase, keepBase, latestBase } from './snapshot-rows.js';

/** Of a large graph, packed for one more event: that many lines of nodes are the price of one event. */
const NODES_AN_EVENT = 4;

/** The graph as it was last read from the database, and how far the log went then. */
export class DatabaseState {
  private readonly database: PostgresDatabase;
  private graph = LazyGraph.of(new GraphState());
  private lastId: string | undefined;
  private laterEntry = false;
  /** `seq` of the latest snapshot. */
  private baseSeq = 0;
  private isUsable = false;
  /** While a change is under way: the graph without it. */
  private before: GraphView | undefined;
  private latest: Promise<unknown> = Promise.resolve();
  private keeping: Promise<void> | undefined;

  constructor(database: PostgresDatabase) {
    this.database = database;
  }

  /** Id of the last entry, for the chain. */
  get last(): string | undefined {
    return this.lastId;
  }

  /** Whether an entry is of a later version, which alone may go on from there. */
  get hasLaterEntry(): boolean {
    return this.laterEntry;
  }

  /** Runs one after the other what reads into the graph or changes it, as each waits for the database in between. */
  alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.latest.then(work);
    this.latest = done.catch(() => undefined);
    return done;
  }

  /** A picture that stays as it is. `othersWrite`: what they wrote since is read first. */
  async picture(othersWrite: boolean): Promise<GraphView> {
    if (!othersWrite && this.isUsable) return this.before ?? this.graph.view();
    return await this.alone(async () => {
      const head = await presentHead(this.database, this.database.clock);
      refuseUnused(head); // nobody adds to what lies there
      await this.follow(this.database, head);
      return this.graph.view();
    });
  }

  /** Ready for any question at once, for whoever holds the graph for life. */
  prepare(): void {
    this.graph.whole.runnable();
  }

  /**
   * Reads what others wrote up to a head, by the queries of the transaction that knows it; or everything where the log is not the one
   * that was read before.
   */
  async follow(queries: SqlQueries, head: Head): Promise<void> {
    const lastId = head.last_id ?? undefined;
    if (this.isUsable && head.seq === this.graph.seq && lastId === this.lastId) return;
    if (!this.isUsable || head.seq <= this.graph.seq) await this.load(queries);
    for await (const rows of logRows(queries, this.graph.seq + 1, head.seq)) {
      const parsed = rows.map(parsedRow);
      if (this.lastId !== undefined && parsed[0]?.entry.prev !== this.lastId) {
        this.doubt(); // another log took the place of ours, as after a restore
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

  /** Changes the graph, which is seen by nobody until `settle`. */
  change<Result>(decide: (graph: LazyGraph) => Result): Result {
    this.before = this.graph.view();
    return decide(this.graph);
  }

  /** What was changed is written. */
  settle(lines: readonly EntryLine[]): void {
    this.before = undefined;
    this.lastId = lines.at(-1)?.entry.id ?? this.lastId;
  }

  /** What was changed was not written, or nobody knows: the next look reads everything again. */
  doubt(): void {
    this.isUsable = false;
    this.before = undefined;
  }

  /** Packs the graph away where a reader would have much of the log to read; not more often than that costs. */
  keepUp(): void {
    const tail = this.graph.seq - this.baseSeq;
    if (this.keeping || tail <= Math.max(LIMITS.snapshotTailEvents, this.graph.size / NODES_AN_EVENT)) return;
    this.keep().catch(() => undefined); // the log has it all; the next change tries again
  }

  /** Packs the graph away as it is now; answers its `seq`. */
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

  /** Resolves when nothing is being packed. */
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

/** The graph after the entry `seq`, which is not the last one. */
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
