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
  | FieldPatch;

/** A change of fields of a node that is there and stays. */
interface FieldPatch {
  readonly id: string;
  readonly set?: NodeFields;
  readonly unset?: readonly string[];
  /** Where in the task's log the new entries begin. */
  readonly log_at?: number;
  readonly log?: readonly LogEntry[];
}

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

/** The plan with what its first event does to the fields of one task changed. */
export function withFieldPatch<Result>(
  plan: Plan<Result>,
  id: string,
  change: (patch: FieldPatch) => FieldPatch,
): Plan<Result> {
  const [first, ...rest] = plan.events;
  if (!first) return plan;
  const patch = first.patch.map((item) =>
    item.id === id && !('put' in item) && !('del' in item) ? change(item) : item,
  );
  return { ...plan, events: [{ ...first, patch }, ...rest] };
}

/** The plan with more fields for one task in its first event; those in `unset` are gone after it. */
export function withFields<Result>(
  plan: Plan<Result>,
  id: string,
  more: NodeFields,
  unset: readonly string[] = [],
): Plan<Result> {
  return withFieldPatch(plan, id, (patch) => {
    const set = { ...patch.set, ...more };
    const removed = [...new Set([...(patch.unset ?? []), ...unset])].filter((field) => !(field in set));
    return { ...patch, set, ...(removed.length > 0 ? { unset: removed } : {}) };
  });
}
