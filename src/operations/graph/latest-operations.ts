import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { LoggedOperation } from './logged-operation.js';

interface Wish {
  readonly message?: string | undefined;
  readonly agent?: string | undefined;
}

/** Latest operations of a project. Errors: `usage` with a message, which needs a task. */
export async function projectLog(store: GraphStore, { message, agent }: Wish) {
  if (message !== undefined) throw new TroupeError('usage', { what: 'An entry needs a task.', hint: 'Name it first.' });
  const { seq } = await store.view();
  return { seq, log: [], operations: await operationsOf(store, undefined, agent, latest(seq, agent)) };
}

/** Position from which the latest operations of everybody are read; those of one actor may lie anywhere. */
function latest(seq: number, agent: string | undefined): number {
  return agent === undefined ? Math.max(1, seq - WORK_LIMITS.operationsShown + 1) : 1;
}

/** Latest operations on one task, or on all, from the log of the graph. */
export async function operationsOf(store: GraphStore, id: string | undefined, agent: string | undefined, from = 1) {
  const rows: LoggedOperation[] = [];
  for await (const { seq, timestamp, op, actor, task_id, patch } of store.entries(from)) {
    if (id !== undefined && task_id !== id && !patch.some((change) => change.id === id)) continue;
    if (agent !== undefined && actor !== agent) continue;
    const about = id === undefined && task_id !== undefined ? { task_id } : {};
    rows.push({ seq, timestamp, op, ...(actor === undefined ? {} : { actor }), ...about });
    if (rows.length > WORK_LIMITS.operationsShown) rows.shift();
  }
  return rows;
}
