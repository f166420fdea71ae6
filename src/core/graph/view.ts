import type { Cycle } from '#core/graph/cycles.js';
import type { Departed } from '#core/graph/departed.js';
import type { Entry } from '#core/graph/event.js';
import type { Growth } from '#core/graph/lib/tally.js';
import type { GraphNode, Status, Task } from '#core/graph/task.js';

/** A task as far as walks over the whole graph ask of each: told without reading the rest of it. */
export interface TaskOutline {
  readonly id: string;
  readonly status: Status;
  /** The ids it names in `after`. */
  readonly after: readonly string[];
  /** False only where the task certainly lacks the field; asked of fields that come after `status` in a line. */
  mayHave(field: string): boolean;
}

/** A consistent, unchanging picture of the graph at one `seq`. Cheap to hold, whatever its size. */
export interface GraphView {
  /** `seq` of the last event in this picture; 0 for a graph nothing has happened to. */
  readonly seq: number;
  /** Number of nodes, tasks and others. */
  readonly size: number;
  node(id: string): GraphNode | undefined;
  /** The task of this id; undefined also for nodes that are no tasks. */
  task(id: string): Task | undefined;
  /** All nodes, in no particular order. */
  nodes(): Iterable<GraphNode>;
  /** All tasks in outline, in no particular order. */
  outlines(): Iterable<TaskOutline>;
  /** The ids of tasks that name this one in `after`, in no particular order. */
  dependents(id: string): readonly string[];
  /**
   * The ids of tasks that are open, not paused and wait for no predecessor. Whether their times have come is for
   * `readiness` to say. Maintained with every change: reading it costs what it returns.
   */
  candidates(): Iterable<string>;
  /**
   * When a candidate became ready or will be, in milliseconds: the latest of its creation, its times and the ends of its
   * predecessors. Undefined for a task that is no candidate.
   */
  readyAt(id: string): number | undefined;
  /**
   * Those candidates that a command can do, without a model or a person, by the moments at which they become ready, and by id; with `after`,
   * those whose moment is later. To read the first ones costs no more than what is read.
   */
  runnable(after?: number): Iterable<string>;
  /** The other candidates, in the same order. */
  withoutCommand(): Iterable<string>;
  count(status: Status): number;
  /** The ids of tasks that wait for something, in no particular order. */
  waiting(): Iterable<string>;
  /** The ids of tasks that wait for their place in the graph. */
  unplaced(): Iterable<string>;
  /** The ids of tasks with a low score that nobody has looked into yet. */
  doubted(): Iterable<string>;
  /** The highest number that a run of this graph ever had, also of tasks that are gone; 0 where none began. */
  readonly lastRun: number;
  /** `seq` of the last event that touched a task of a team; 0 where there was none. */
  readonly teamSeq: number;
  /** The ids of tasks of teams that wait for a review, also where somebody was asked for it. */
  unreviewed(): Iterable<string>;
  /** Does this task come after one whose work was merged into `wg/integration`, directly or not? */
  followsMerged(id: string): boolean;
  /** How many tasks were made by this run or person and are still there. */
  madeBy(name: string): number;
  /** What runs have added so far, as far as it is bounded. */
  growth(): Growth;
  /** Does any task carry a `cycle_config`? Without one no cycle goes round, and nobody need look for cycles. */
  mayIterate(): boolean;
  /** The cycle with this header. */
  cycle(header: string): Cycle | undefined;
  /** All cycles, also those inside others. The first question costs the graph, later ones nothing. */
  cycles(): Iterable<Cycle>;
  /** The cycles a task is in, the outermost first. */
  cyclesOf(id: string): readonly Cycle[];
  /** Was this id ever given to a task, also one that is gone? */
  wasUsed(id: string): boolean;
  /** What became of a task that was archived or removed by `gc`; undefined for any other id. */
  departed(id: string): Departed | undefined;
  /** All of these, in no particular order. */
  departures(): Iterable<Departed>;
  /** A copy to try things on: what is applied to it nobody else sees. */
  fork(): GraphDraft;
}

export interface GraphDraft extends GraphView {
  apply(entry: Entry): void;
}
