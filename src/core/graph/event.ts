import type { LogEntry, NodeFields } from '#core/graph/task.js';

/** Where a task went that is no longer in the graph but can come back. */
export type Exit = 'archive' | 'gc';

/** One change of one node. Absolute, so that doing it twice does no harm. */
export type Patch =
  | { readonly id: string; readonly put: NodeFields }
  | {
      readonly id: string;
      readonly del: true;
      /** Where it went, and the whole node: it can come back. */
      readonly to?: Exit;
      readonly kept?: NodeFields;
    }
  | {
      readonly id: string;
      readonly set?: NodeFields;
      readonly unset?: readonly string[];
      /** Where in the task's log the new entries begin. */
      readonly log_at?: number;
      readonly log?: readonly LogEntry[];
    };

/** A line of the operations log: what happened, to whom, by whom, and all that is needed to redo it. */
export interface Entry {
  readonly seq: number;
  readonly id: string;
  /** `id` of the entry before: the log is a chain. */
  readonly prev?: string;
  /** Position and size of the group this entry was committed with. */
  readonly tx?: readonly [number, number];
  readonly timestamp: string;
  readonly op: string;
  readonly task_id?: string;
  readonly actor?: string;
  readonly detail?: NodeFields;
  readonly patch: readonly Patch[];
}

/** An event that a pure decision wants; the store gives it seq, id, chain and time. */
export interface EventDraft {
  readonly op: string;
  readonly task_id?: string;
  readonly actor?: string;
  readonly detail?: NodeFields;
  readonly patch: readonly Patch[];
}

/** What a decision wants done, all of it or nothing. No events: nothing is written. */
export interface Plan<Result = undefined> {
  readonly events: readonly EventDraft[];
  readonly result: Result;
}
