import * as z from 'zod/mini';
import { isTask, isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { byId } from '#kernel/order.js';
import { storedMoment, textsOf } from './brief.js';
import { ids, list, nullableText, status } from './shapes.js';

export const discoveryShape = z.object({
  since: z.string(),
  /** Tasks that ended since then, latest first. */
  tasks: list(
    z.object({
      id: z.string(),
      title: z.string(),
      status,
      completed_at: z.string(),
      artifacts: ids,
      /** Failure reason, or the last log message. */
      note: nullableText,
    }),
  ),
  total: z.number(),
});
export type Discovery = z.infer<typeof discoveryShape>;

/** Recent results of other tasks. `since` in milliseconds. */
export function discover(view: GraphView, since: number): Discovery {
  const ended: { task: Task; at: number }[] = [];
  for (const node of view.nodes()) {
    const at = isTask(node) && isTerminal(node.status) ? storedMoment(node.completed_at) : undefined;
    if (isTask(node) && at !== undefined && at >= since) ended.push({ task: node, at });
  }
  ended.sort((left, right) => right.at - left.at || byId(left.task, right.task));
  return {
    since: new Date(since).toISOString(),
    tasks: ended.slice(0, SURFACE_LIMITS.analysisRows).map(({ task, at }) => ({
      id: task.id,
      title: task.title,
      status: task.status,
      completed_at: new Date(at).toISOString(),
      artifacts: textsOf(task.artifacts),
      note: noteOf(task),
    })),
    total: ended.length,
  };
}

function noteOf(task: Task): string | null {
  const words: unknown = task.status === 'failed' ? task.failure_reason : task.log?.at(-1)?.message;
  return typeof words === 'string' && words !== '' ? words : null;
}
