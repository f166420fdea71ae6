import type { Cycle } from '#core/graph/cycles.js';
import type { Departed } from '#core/graph/departed.js';
import type { Entry } from '#core/graph/event.js';
import type { Growth } from '#core/graph/lib/tally.js';
import type { GraphNode, Status, Task } from '#core/graph/task.js';

/** The few fields of a task that walks over the whole graph need, available without parsing the rest. */
export interface TaskOutline {
  readonly id: string;
  readonly status: Status;
  /** Ids of its predecessors. */
  readonly after: readonly string[];
  /** False only if the task certainly lacks the field; valid for fields that follow `status` in a line. */
  mayHave(field: string): boolean;
}

/** A consistent, immutable view of the graph at one `seq`. Cheap to hold at any size. */
export interface GraphView {
  /** `seq` of the last event in this view; 0 for an empty history. */
  readonly seq: number;
  /** Number of nodes of all kinds. */
  readonly size: number;
  node(id: string): GraphNode | undefined;
  /** Returns the task with this id; undefined also for nodes of other kinds. */
  task(id: string): Task | undefined;
  /** All nodes, in no particular order. */
  nodes(): Iterable<GraphNode>;
  /** All tasks in outline, in no particular order. */
  outlines(): Iterable<TaskOutline>;
  /** Ids of tasks that have this one in `after`, in no particular order. */
  dependents(id: string): readonly string[];
  /**
   * Ids of tasks that are open, not paused and have no pending predecessor. Their start times are checked by
   * `readiness`. Maintained incrementally: reading costs only the result.
   */
  candidates(): Iterable<string>;
  /**
   * Time at which a candidate became or will become ready, in milliseconds: the latest of its creation, its start times
   * and the ends of its predecessors. Undefined for other tasks.
   */
  readyAt(id: string): number | undefined;
  /**
   * Candidates with a command, which need neither a model nor a person, by their ready times and ids; with `after`,
   * only those with a later time. Reading the first ones costs only what is read.
   */
  runnable(after?: number): Iterable<string>;
  /** The other candidates, in the same order. */
  withoutCommand(): Iterable<string>;
  count(status: Status): number;
  /** Ids of tasks with status `waiting`, in no particular order. */
  waiting(): Iterable<string>;
  /** Ids of tasks that are not placed in the graph yet. */
  unplaced(): Iterable<string>;
  /** Ids of tasks with a low flip score that is not examined yet. */
  doubted(): Iterable<string>;
  /** The highest number of any run of this graph, including those of removed tasks; 0 if there was none. */
  readonly lastRun: number;
  /** `seq` of the last event that touched a team task; 0 if there was none. */
  readonly teamSeq: number;
  /** Ids of team tasks that wait for a review, requested or not. */
  unreviewed(): Iterable<string>;
  /** Whether this task depends, directly or not, on work merged into `wg/integration`. */
  followsMerged(id: string): boolean;
  /** Number of present tasks created by this run or person. */
  madeBy(name: string): number;
  /** Tasks added by runs, as far as they are limited. */
  growth(): Growth;
  /** Whether any task has a `cycle_config`. Otherwise no cycle can iterate, and cycles need not be computed. */
  mayIterate(): boolean;
  cycle(header: string): Cycle | undefined;
  /** All cycles, including nested ones. The first call costs the whole graph, later ones nothing. */
  cycles(): Iterable<Cycle>;
  /** The cycles around a task, outermost first. */
  cyclesOf(id: string): readonly Cycle[];
  /** Whether this id was ever used, including by removed tasks. */
  wasUsed(id: string): boolean;
  /** Departure record of a task that was archived or removed by `gc`; undefined for any other id. */
  departed(id: string): Departed | undefined;
  /** All departure records, in no particular order. */
  departures(): Iterable<Departed>;
  /** Returns a copy on which changes can be tried without effect on this view. */
  fork(): GraphDraft;
}

export interface GraphDraft extends GraphView {
  apply(entry: Entry): void;
  /** Ids of nodes that differ from an earlier draft; undefined if many do, or if the other is of another graph. */
  changedSince(earlier: GraphDraft): ReadonlySet<string> | undefined;
}
