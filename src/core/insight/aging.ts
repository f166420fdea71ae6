import * as z from 'zod/mini';
import { tasksInSight } from '#core/graph/in-sight.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { numberAt } from '#kernel/numbers.js';
import { byId } from '#kernel/order.js';
import { isUnfinished, storedMoment } from './brief.js';
import { list, nullableText, status } from './shapes.js';

export const taskAgeShape = z.object({
  id: z.string(),
  title: z.string(),
  status,
  assigned: nullableText,
  /** Creation time or, in `stale`, start of the claim. */
  since: z.string(),
  age_seconds: z.number(),
});
export type TaskAge = z.infer<typeof taskAgeShape>;

export const agingShape = z.object({
  buckets: list(z.object({ name: z.string(), tasks: z.number() })),
  /** Unfinished tasks with the earliest creation times. */
  oldest: list(taskAgeShape),
  /** Tasks held longest, if for more than a day. */
  stale: list(taskAgeShape),
  tasks_without_timestamp: z.number(),
});
export type Aging = z.infer<typeof agingShape>;

const DAY_MS = 24 * 60 * 60_000;
const BUCKETS = [
  { name: 'under a day', under: DAY_MS },
  { name: '1 to 7 days', under: 7 * DAY_MS },
  { name: '7 to 30 days', under: 30 * DAY_MS },
  { name: '30 to 90 days', under: 90 * DAY_MS },
  { name: '90 days and more', under: Number.POSITIVE_INFINITY },
] as const;
const ROWS = 10;

/** Ages of the unfinished tasks, and the tasks that seem neglected. */
export function aging(view: GraphView, now: number): Aging {
  const counts = BUCKETS.map(() => 0);
  const dated: { task: Task; since: number }[] = [];
  const claimed: { task: Task; since: number }[] = [];
  let unknown = 0;
  for (const task of tasksInSight(view)) {
    if (!isUnfinished(task)) continue;
    const created = storedMoment(task.created_at);
    if (created === undefined) unknown++;
    else {
      dated.push({ task, since: created });
      const place = BUCKETS.findIndex((bucket) => now - created < bucket.under);
      counts[place] = numberAt(counts, place) + 1;
    }
    const started = storedMoment(task.started_at);
    if (task.status === 'in-progress' && started !== undefined && now - started > DAY_MS)
      claimed.push({ task, since: started });
  }
  return {
    buckets: BUCKETS.map(({ name }, place) => ({ name, tasks: numberAt(counts, place) })),
    oldest: first(dated, now, ROWS),
    stale: first(claimed, now, SURFACE_LIMITS.analysisRows),
    tasks_without_timestamp: unknown,
  };
}

function first(entries: { task: Task; since: number }[], now: number, most: number): TaskAge[] {
  return entries
    .sort((left, right) => left.since - right.since || byId(left.task, right.task))
    .slice(0, most)
    .map(({ task, since }) => ({
      id: task.id,
      title: task.title,
      status: task.status,
      assigned: task.assigned ?? null,
      since: new Date(since).toISOString(),
      age_seconds: Math.max(0, Math.floor((now - since) / 1_000)),
    }));
}
