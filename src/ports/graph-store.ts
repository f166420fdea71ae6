/**
 * Interfaces that the adapters implement, and nothing else.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import type { ArchiveQuery } from '#core/graph/archived.js';
import type { Entry, Plan } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { Clock } from '#kernel/clock.js';
import type { RequestMark } from '#kernel/request.js';

export interface Commit<Result> {
  /** `seq` of the last event of this commit; the present `seq` of the store if nothing was written. */
  readonly seq: number;
  readonly entries: readonly Entry[];
  readonly result: Result;
}

export interface StoreProblem {
  readonly severity: 'warning' | 'error';
  readonly code: string;
  readonly text: string;
  readonly file?: string;
  readonly line?: number;
}

/**
 * Store of a task graph. One conformance suite, `test/contract/graph-store.ts`, runs against every adapter. Commits are
 * serial and atomic; `seq` has no gaps; an acknowledged commit survives `kill -9`.
 */
export interface GraphStore {
  /**
   * Clock for leases, due times and timestamps of entries: the same for every process and machine that uses this store.
   */
  readonly clock: Clock;
  /**
   * Returns the present graph; with `at`, the graph after the entry with that `seq`, or after the last entry up to that
   * time (RFC 3339). A `seq` beyond the last one gives the present graph.
   */
  view(at?: number | string): Promise<GraphView>;
  /**
   * Calls a pure decision with the present graph and commits the events it returns, atomically. If it throws, nothing
   * is written and the error is rethrown. `decide` may be called again if another writer committed first. A repeated
   * `requestId` returns the first result without any change; with another input it is rejected with
   * `request_id_reused`.
   */
  commit<Result>(decide: (view: GraphView) => Plan<Result>, request?: RequestMark): Promise<Commit<Result>>;
  /**
   * Entries with `from` <= `seq` <= `to`, in order. If `from` is 0, the entries that another tool wrote come first,
   * with `seq` 0.
   */
  entries(from: number, to?: number): AsyncIterable<Entry>;
  /** Entries from `from` on, each once and in order, until the signal aborts. */
  follow(from: number, signal: AbortSignal): AsyncIterable<Entry>;
  /** Archived tasks that match the query, by id. */
  archived(query: ArchiveQuery): Promise<readonly Task[]>;
  /** Snapshot and log files, for stores that have them. */
  readonly files: GraphFiles;
  /** Problems found while loading, with line numbers; empty if there are none. */
  health(): Promise<readonly StoreProblem[]>;
  /** Waits for commits in progress and releases all resources. Idempotent. */
  close(): Promise<void>;
}

/** Rotation of the log: its entries were compressed into a closed piece, and the log continues after them. */
export interface LogRotation {
  readonly from: number;
  readonly to: number;
  /** Size of the log before and after, in bytes. */
  readonly before: number;
  readonly after: number;
  /** Files with the compressed entries and with the graph after the last of them, relative to the graph's folder. */
  readonly files: readonly string[];
}

/**
 * Readable snapshot of the graph, and rotation of the log. A store without files renders the same text and keeps its
 * own snapshot, but rotates nothing.
 */
export interface GraphFiles {
  /** A view in the format of the readable snapshot, with the comments and unparsable lines of the present one. */
  text(view: GraphView): Promise<string>;
  /** Brings the stored snapshot up to date and returns its `seq`. */
  snapshot(): Promise<number>;
  /**
   * Closes the present piece of the log, regardless of its size; a store does so by itself once the log is large.
   * Undefined if the piece is empty, or if the store does not keep its log in pieces. Readers see no difference.
   */
  rotate(): Promise<LogRotation | undefined>;
}

/** The turn of a process to write in a project, for stores beside the graph. */
export interface WriteTurn {
  /**
   * Runs `work` while no other process writes in the project. Waits like a commit. Errors: `locked` if another process
   * keeps the turn. Not reentrant: `work` is synchronous and must not take a turn itself.
   */
  exclusively<Result>(work: () => Result): Promise<Result>;
}

/** A turn that a process takes for each write, since others write as well. */
export interface SharedTurn extends WriteTurn {
  /**
   * Whether no process has the turn at this moment, for certain. A store whose transactions exclude each other may write
   * without the turn if this is true inside the transaction. A process that takes the turn afterwards and relies on
   * being alone has to wait for that transaction.
   */
  isFree(): boolean;
}

/** A graph held by one process for its lifetime, which excludes other writers. */
export interface ExclusiveGraph extends GraphStore, WriteTurn {
  /**
   * Epoch of this leadership, its number among all of the project; 0 for a graph in files, where they are not counted.
   */
  readonly epoch: number;
  /** Whether another process has taken the graph; then every change is rejected. */
  readonly lost: boolean;
  /**
   * Ends the leadership and retires this store, because the project is kept elsewhere from now on. Later writers are
   * rejected with `storage_retired`, or with `not_initialized` if no trace of the graph is left. Deletes nothing
   * permanently.
   */
  retire(): Promise<void>;
}

export interface HoldOptions {
  /** Take the graph from its present holder, if there is one. */
  readonly seize: boolean;
  /** Polled while waiting for the graph; true ends the wait with `locked`. */
  readonly stopWaiting: () => boolean;
  /** Called after a change made outside of Troupe (a hand edit, a checkout) became part of the graph. */
  readonly onHandEdit: () => void;
  /** Called once when another process has taken the graph. */
  readonly onLost: () => void;
}

/** A kind of storage for the graph of a project. Errors of opening: `not_initialized`, `locked`. */
export interface StoreKind {
  /** Creates an empty graph; an existing one is not changed. */
  initialise(): Promise<{ folder: string; created: boolean }>;
  /**
   * Opens the graph for reading and single changes. Each change waits for other writers until `stopWaiting` returns
   * true.
   */
  open(stopWaiting: () => boolean): Promise<GraphStore>;
  /** Write turn of the project without opening its graph, which need not exist. */
  turn(stopWaiting: () => boolean): SharedTurn;
  hold(options: HoldOptions): Promise<ExclusiveGraph>;
  /**
   * Present holder, for people; undefined if there is none. In files, a lock left by a process that has ended counts as
   * held.
   */
  holder(): Promise<string | undefined>;
  /** Checks and repairs for the stored graph. */
  doctor(): Promise<GraphDoctor>;
  /**
   * The whole log as lines without line ends, one per entry, that another store keeps byte for byte; entries of another
   * tool come first. Requires that this process holds the graph. Errors: `corrupt` if an entry is missing.
   */
  lines(): AsyncIterable<string>;
  /** Creates the graph from the lines of another store, all or nothing. Errors: `store_not_empty`. */
  receive(lines: AsyncIterable<string>): Promise<void>;
}

/** A finding about the stored graph for a person. */
export const graphFindingShape = z.object({
  severity: z.enum(['note', 'warning', 'error']),
  code: z.string(),
  /** Description, as a sentence. */
  text: z.string(),
  /** Remedy, as a sentence. */
  remedy: z.string(),
  file: z.optional(z.string()),
  line: z.optional(z.number()),
  /** Whether `repair` can fix it without guessing. */
  repairable: z.boolean(),
});
export type GraphFinding = z.infer<typeof graphFindingShape>;

/** Maintenance of a stored graph, beyond what the store does by itself. */
export interface GraphDoctor {
  /** Reads and compares everything. Never writes. */
  examine(): Promise<readonly GraphFinding[]>;
  /**
   * Fixes what can be fixed without guessing, under the write lock. Returns one sentence per fix. Errors: `locked`
   * while another process writes.
   */
  repair(): Promise<readonly string[]>;
  /**
   * Rebuilds the readable snapshot from the log alone, under the write lock; hand edits are recorded in the log first.
   * Returns one sentence per action. Errors: `corrupt` if the log does not reach back to the beginning.
   */
  rebuild(): Promise<readonly string[]>;
  /**
   * Merge driver of git: merges three files into a text that replaces `ours`. Paths as given by git. Errors:
   * `not_found`, `unsafe_path` for anything but regular files, `too_large`.
   */
  mergeFiles(files: {
    base: string;
    ours: string;
    theirs: string;
  }): Promise<{ text: string; tasks: number; lost: number }>;
}
