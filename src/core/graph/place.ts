import { placedBefore } from '#core/graph/add.js';
import type { Plan } from '#core/graph/event.js';
import { move } from '#core/graph/lib/move.js';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

/** Proposed position of a task: ids, as untrusted data. */
export interface Placement {
  readonly after?: readonly string[];
  readonly before?: readonly string[];
}

/**
 * Proposes a position without a model: with the predecessors of the tasks it should be near; else after the tasks that
 * produce its inputs; else unchanged.
 */
export function proposePlacement(view: GraphView, task: Task): Placement {
  const near = (task.place_near ?? []).flatMap((id) => view.task(id)?.after ?? []);
  if (near.length > 0) return { after: near };
  const reads = new Set(task.inputs);
  if (reads.size === 0) return {};
  const after: string[] = [];
  for (const node of view.nodes()) {
    if (isTask(node) && node.id !== task.id && node.deliverables?.some((file) => reads.has(file))) after.push(node.id);
  }
  return { after: after.sort() };
}

/**
 * Turns a proposal into edges. Drops unknown ids and edges that would close a cycle; the task is marked as placed in
 * any case.
 */
export function placeTask(view: GraphView, id: string, proposal: Placement, now: number): Plan<undefined> {
  const task = view.task(id);
  if (!task) return { events: [], result: undefined };
  const later = reach(view, id);
  const fresh = [...new Set(proposal.after)].filter(
    (before) => before !== id && view.task(before) && !later.has(before) && !task.after?.includes(before),
  );
  const after = [...(task.after ?? []), ...fresh].slice(0, WORK_LIMITS.edgesPerTask);
  const predecessors = new Set(after);
  const first = [...new Set(proposal.before)].filter(
    (other) => other !== id && !predecessors.has(other) && !comesBefore(view, other, predecessors),
  );
  const { patch } = placedBefore(view, id, first);
  const message = after.length > (task.after?.length ?? 0) ? `Placed after ${fresh.join(', ')}` : 'Placed where it is';
  const event = move(
    task,
    'place',
    { now, by: { name: 'coordinator' } },
    after.length > 0 ? { after } : {},
    ['unplaced', 'place_near'],
    message,
  );
  return { events: [{ ...event, patch: [...event.patch, ...patch] }], result: undefined };
}

/** All direct and indirect dependents of a task. */
function reach(view: GraphView, id: string): ReadonlySet<string> {
  const visited = new Set<string>();
  const pending = [...view.dependents(id)];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    pending.push(...view.dependents(next));
  }
  return visited;
}

/** Whether this task precedes one of the others. */
function comesBefore(view: GraphView, id: string, ids: ReadonlySet<string>): boolean {
  const later = reach(view, id);
  return [...ids].some((other) => later.has(other));
}
