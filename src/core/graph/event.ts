import type { LogEntry, NodeFields } from '#core/graph/task.js';

/** Destination of a task that left the graph and can come back. */
export type Exit = 'archive' | 'gc';

/** One change of one node, in absolute values and therefore idempotent. */
export type Patch =
  | { readonly id: string; readonly put: NodeFields }
  | {
      readonly id: string;
      readonly del: true;
      /** Destination and full node, from which it can be restored. */
      readonly to?: Exit;
      readonly kept?: NodeFields;
    }
  | FieldPatch;

/** Changes fields of an existing node. */
interface FieldPatch {
  readonly id: string;
  readonly set?: NodeFields;
  readonly unset?: readonly string[];
  /** Index in the task's log at which the new entries start. */
  readonly log_at?: number;
  readonly log?: readonly LogEntry[];
}

/** A line of the operations log: the change, its task, its actor, and all data needed to redo it. */
export interface Entry {
  readonly seq: number;
  readonly id: string;
  /** `id` of the previous entry: the log is a chain. */
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

/** An event requested by a pure decision; the store adds seq, id, chain and time. */
export interface EventDraft {
  readonly op: string;
  readonly task_id?: string;
  readonly actor?: string;
  readonly detail?: NodeFields;
  readonly patch: readonly Patch[];
}

/** Result of a pure decision: events to commit atomically, and a result. Without events nothing is written. */
export interface Plan<Result = undefined> {
  readonly events: readonly EventDraft[];
  readonly result: Result;
}

/** Returns the plan with its first event's field patch for one task replaced by `change`. */
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

/** Returns the plan with more fields set for one task in its first event; the fields in `unset` are removed. */
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
