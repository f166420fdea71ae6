import * as z from 'zod/mini';
import { isTerminal, type LogEntry, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { byId } from '#kernel/order.js';
import { textsOf } from './brief.js';
import { ids, list, nullableText, status } from './shapes.js';

const log = list(z.object({ timestamp: z.string(), actor: z.optional(z.string()), message: z.string() }));

export const contextPredecessorShape = z.object({
  id: z.string(),
  title: z.string(),
  status,
  artifacts: ids,
  log,
  failure_reason: nullableText,
});
export type Before = z.infer<typeof contextPredecessorShape>;

/** All information from the graph that the doer of a task needs. */
export const packetShape = z.object({
  id: z.string(),
  title: z.string(),
  status,
  description: z.string(),
  inputs: ids,
  skills: ids,
  deliverables: ids,
  log,
  /** Note of a waiting or interrupted attempt; null if there is none. */
  checkpoint: nullableText,
  /** Ended predecessors with their artifacts and, if they failed, the reason. */
  predecessors: list(contextPredecessorShape),
  /** Tasks that use its results; only on request. */
  dependents: z.optional(list(z.object({ id: z.string(), title: z.string(), status, inputs: ids }))),
});
export type Packet = z.infer<typeof packetShape>;

/** Costs only the task and its neighbours. */
export function packetOf(view: GraphView, id: string, options: { readonly dependents: boolean }): Packet {
  const task = taskOf(view, id);
  const tasks = (ids: readonly string[]) => [...new Set(ids)].flatMap((other) => view.task(other) ?? []).sort(byId);
  const ended = tasks(task.after ?? []).filter((before) => isTerminal(before.status) && before.id !== task.id);
  const dependents = options.dependents
    ? tasks(view.dependents(task.id)).filter((other) => other.id !== task.id)
    : undefined;
  return {
    id: task.id,
    title: task.title,
    status: task.status,
    description: textOf(task.description) ?? '',
    inputs: textsOf(task.inputs),
    skills: textsOf(task.skills),
    deliverables: textsOf(task.deliverables),
    log: logOf(task),
    checkpoint: textOf(task.checkpoint),
    predecessors: ended.map(beforeOf),
    ...(dependents
      ? {
          dependents: dependents.map(({ id: other, title, status, inputs }) => ({
            id: other,
            title,
            status,
            inputs: textsOf(inputs),
          })),
        }
      : {}),
  };
}

function beforeOf(task: Task): Before {
  return {
    id: task.id,
    title: task.title,
    status: task.status,
    artifacts: textsOf(task.artifacts),
    log: logOf(task),
    failure_reason: textOf(task.failure_reason),
  };
}

/** Valid entries of a log, which may be hand-edited. */
function logOf(task: Task): readonly LogEntry[] {
  const entries: readonly unknown[] = task.log ?? [];
  return entries.filter((entry): entry is LogEntry => {
    if (typeof entry !== 'object' || entry === null) return false;
    const { timestamp, message, actor } = entry as Partial<Record<keyof LogEntry, unknown>>;
    return (
      typeof timestamp === 'string' && typeof message === 'string' && ['string', 'undefined'].includes(typeof actor)
    );
  });
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
