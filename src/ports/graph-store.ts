/**
 * Interfaces that the adapters implement, and nothing else.
 * @packageDocumentation
 */
import type { ArchiveQuery } from '#core/graph/archived.js';
import type { Entry, Plan } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { Clock } from '#kernel/clock.js';
import type { RequestMark } from '#kernel/request.js';

export interface Commit<Result> {
  /** `seq` of the last event of this commit; the store's present `seq` when nothing was written. */
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
 * Where the graph lives. One conformance suite, `test/contract/graph-store.ts`, runs against every adapter.
 * Commits are serial and atomic; `seq` has no gaps; an acknowledged commit survives `kill -9`.
 */
export interface GraphStore {
  /** By which leases, due times and the moments of entries are told: the same for every process and machine at this store. */
  readonly clock: Clock;
  /** The present picture, or the one as of an earlier `seq`, or as of a time (RFC 3339): after the last entry until then. */
  view(at?: number | string): Promise<GraphView>;
  /**
   * Runs a pure decision on the present picture and commits what it wants. A decision that throws is a refusal: nothing
   * is written and the error reaches the caller. `decide` may be run again when another writer was faster.
   * A repeated `requestId` returns the first result without doing anything; with another input it is `request_id_reused`.
   */
  commit<Result>(decide: (view: GraphView) => Plan<Result>, request?: RequestMark): Promise<Commit<Result>>;
  /** Entries with `seq` in [from, to], in order. From 0: first what another tool wrote down before, as entries of `seq` 0. */
  entries(from: number, to?: number): AsyncIterable<Entry>;
  /** Entries from `from` on, each once, in order, until the signal aborts. */
  follow(from: number, signal: AbortSignal): AsyncIterable<Entry>;
  /** Archived tasks that match, by id. */
  archived(query: ArchiveQuery): Promise<readonly Task[]>;
  /** What it has beside the graph where it lies in files. */
  readonly files: GraphFiles;
  /** What was found wrong while loading, with line numbers; empty when all is well. */
  health(): Promise<readonly StoreProblem[]>;
  /** Waits for commits under way; leaves no handle open. Safe twice. */
  close(): Promise<void>;
}

/** A piece of the log that was closed: its entries are packed away, and the present piece begins after them. */
export interface LogRotation {
  readonly from: number;
  readonly to: number;
  /** Bytes of the log before and after. */
  readonly before: number;
  readonly after: number;
  /** The files that hold the entries, and the graph as it was after the last of them; relative to the graph's folder. */
  readonly files: readonly string[];
}

/** What a store in files has beside the graph: a picture of it that people read, and a log in pieces. Others do nothing here. */
export interface GraphFiles {
  /** A picture in the form of the readable snapshot, with what else stands in that: comments, lines that are no nodes. */
  text(view: GraphView): Promise<string>;
  /** Brings the readable snapshot up to date; returns its `seq`. */
  snapshot(): Promise<number>;
  /**
   * Closes the present piece of the log, whatever its size; stores do so by themselves when it is large. Undefined when
   * there is nothing in it, or when the store does not keep its log in pieces. Nothing that readers see changes.
   */
  rotate(): Promise<LogRotation | undefined>;
}

/** The turn of a process to write in a project, for stores that lie beside the graph. */
export interface WriteTurn {
  /**
   * Runs `work` while no other process writes in the project. Waits as a commit does; `locked` when the turn is another's.
   * Not to be nested: `work` is synchronous and takes no turn itself.
   */
  exclusively<Result>(work: () => Result): Promise<Result>;
}

/** A graph that one process holds for life: nobody else writes it meanwhile. */
export interface ExclusiveGraph extends GraphStore, WriteTurn {
  /** Number of this leadership of the project among all that ever were; 0 where they are not counted, as it lies in files. */
  readonly epoch: number;
  /** Whether it is another's by now: every change is refused. */
  readonly lost: boolean;
  /**
   * Ends it, and with it this place of the graph, as the project is kept in another from now on: nobody writes here any more, and
   * whoever tries is refused as `storage_retired`, or as `not_initialized` where no trace is left to tell. Nothing is removed for good.
   */
  retire(): Promise<void>;
}

export interface HoldOptions {
  /** Takes it from whoever holds it; who that is was said before. */
  readonly seize: boolean;
  /** Asked while waiting for it: true when waiting is in vain, and the answer is `locked` at once. */
  readonly stopWaiting: () => boolean;
  /** Called after a change that came past us (a hand, a checkout) became part of the graph. */
  readonly onHandEdit: () => void;
  /** Called once when it turns out to be another's. */
  readonly onLost: () => void;
}

/** A way to keep the graph of a project. Errors of opening: `not_initialized`, `locked`. */
export interface StoreKind {
  /** Makes an empty graph; one that is there stays. */
  initialise(): Promise<{ folder: string; created: boolean }>;
  /** For looks and single changes; each change waits for the other writers, until `stopWaiting` says that it is in vain. */
  open(stopWaiting: () => boolean): Promise<GraphStore>;
  /** The same turn without the graph; there need not be one. */
  turn(stopWaiting: () => boolean): WriteTurn;
  hold(options: HoldOptions): Promise<ExclusiveGraph>;
  /** Who holds it now, in words; undefined when nobody does. */
  holder(): Promise<string | undefined>;
  /** What can be looked at and repaired where it is kept. */
  doctor(): Promise<GraphDoctor>;
  /**
   * The whole log as text that another store keeps to the byte: a line an entry, without its end; first what another tool wrote
   * down. To be read while this process holds the graph. `corrupt` where an entry is missing.
   */
  lines(): AsyncIterable<string>;
  /** Makes the graph of the lines of another store: all of it or nothing. Errors: `store_not_empty`. */
  receive(lines: AsyncIterable<string>): Promise<void>;
}

/** Something about the graph's files that a person should know. */
export interface GraphFinding {
  readonly severity: 'note' | 'warning' | 'error';
  readonly code: string;
  /** What is so, as a sentence. */
  readonly text: string;
  /** What to do about it. */
  readonly remedy: string;
  readonly file?: string;
  readonly line?: number;
  /** `repair` can put it right without guessing. */
  readonly repairable: boolean;
}

/** Looking after the files of a graph: what a store does for itself is not in here. */
export interface GraphDoctor {
  /** Reads everything and compares it. Never writes. */
  examine(): Promise<readonly GraphFinding[]>;
  /** Puts right what can be proved, under the write lock; answers what it did, one sentence each. `locked` while another process writes. */
  repair(): Promise<readonly string[]>;
  /**
   * Makes the readable graph again from the log alone, under the write lock; answers what it did, one sentence each. Edits by
   * hand are entered in the log first. `corrupt` where the log does not reach back to the beginning.
   */
  rebuild(): Promise<readonly string[]>;
  /**
   * Git's merge driver: three files as one, which takes the place of `ours`. Paths as git gives them. `not_found`,
   * `unsafe_path` for anything but plain files, `too_large`.
   */
  mergeFiles(files: {
    base: string;
    ours: string;
    theirs: string;
  }): Promise<{ text: string; tasks: number; lost: number }>;
}
