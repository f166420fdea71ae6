/**
 * What the outside must offer, as interfaces and nothing else.
 * @packageDocumentation
 */
import type { ArchiveQuery } from '#core/graph/archived.js';
import type { Entry, Plan } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { GraphFiles } from '#ports/graph-files.js';

export interface Commit<Result> {
  /** `seq` of the last event of this commit; the store's present `seq` when nothing was written. */
  readonly seq: number;
  readonly entries: readonly Entry[];
  readonly result: Result;
}

export interface Problem {
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
  /** The present picture, or the one as of an earlier `seq`, or as of a time (RFC 3339): after the last entry until then. */
  view(at?: number | string): Promise<GraphView>;
  /**
   * Runs a pure decision on the present picture and commits what it wants. A decision that throws is a refusal: nothing
   * is written and the error reaches the caller. `decide` may be run again when another writer was faster.
   * A repeated `requestId` returns the first result without doing anything.
   */
  commit<Result>(decide: (view: GraphView) => Plan<Result>, options?: { requestId?: string }): Promise<Commit<Result>>;
  /** Entries with `seq` in [from, to], in order. From 0: first what another tool wrote down before, as entries of `seq` 0. */
  entries(from: number, to?: number): AsyncIterable<Entry>;
  /** Entries from `from` on, each once, in order, until the signal aborts. */
  follow(from: number, signal: AbortSignal): AsyncIterable<Entry>;
  /** Archived tasks that match, by id. */
  archived(query: ArchiveQuery): Promise<readonly Task[]>;
  /** What it has beside the graph where it lies in files. */
  readonly files: GraphFiles;
  /** What was found wrong while loading, with line numbers; empty when all is well. */
  health(): Promise<readonly Problem[]>;
  /** Waits for commits under way; leaves no handle open. Safe twice. */
  close(): Promise<void>;
}
