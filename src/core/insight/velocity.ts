import * as z from 'zod/mini';
import { tasksInSight } from '#core/graph/in-sight.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { byId } from '#kernel/order.js';
import { isUnfinished, rounded, storedMoment, totalHours } from './brief.js';
import { ids, list } from './shapes.js';

export const WEEK_MS = 7 * 24 * 60 * 60_000;

const weekShape = z.object({
  /** From 1, the oldest; the last week ends now. */
  week_number: z.number(),
  tasks_completed: z.number(),
  hours_completed: z.number(),
  task_ids: ids,
});

export const velocityShape = z.object({
  weeks: list(weekShape),
  average_tasks_per_week: z.number(),
  average_hours_per_week: z.number(),
  trend: z.enum(['rising', 'steady', 'falling']),
  open_tasks: z.number(),
  open_hours: z.number(),
  /** At the average number of tasks; null if nothing was finished and tasks are open. */
  weeks_to_clear: z.nullable(z.number()),
  /** Done tasks without an end time: they count in no week. */
  tasks_without_timestamp: z.number(),
});
export type Velocity = z.infer<typeof velocityShape>;

/** Minimum relative difference between the halves that counts as a trend. */
const TREND_PART = 0.2;

/** Work done in each of the last weeks of seven days, up to now. */
export function velocity(view: GraphView, count: number, now: number): Velocity {
  const start = now - count * WEEK_MS;
  const done: Task[][] = Array.from({ length: count }, () => []);
  const open: Task[] = [];
  let unknown = 0;
  for (const task of tasksInSight(view)) {
    if (isUnfinished(task)) open.push(task);
    if (task.status !== 'done') continue;
    const moment = storedMoment(task.completed_at);
    if (moment === undefined) unknown++;
    // Times in the future, after a clock was set back, count as now.
    else if (moment >= start) done[Math.min(count - 1, Math.floor((moment - start) / WEEK_MS))]?.push(task);
  }
  const weeks = done.map((tasks, index) => ({
    week_number: index + 1,
    tasks_completed: tasks.length,
    hours_completed: totalHours(tasks),
    task_ids: tasks.sort(byId).map((task) => task.id),
  }));
  const all = done.flat();
  return {
    weeks,
    average_tasks_per_week: rounded(all.length / count),
    average_hours_per_week: rounded(totalHours(all) / count),
    trend: trendOf(weeks.map((week) => week.tasks_completed)),
    open_tasks: open.length,
    open_hours: totalHours(open),
    weeks_to_clear: open.length === 0 ? 0 : all.length === 0 ? null : rounded((open.length * count) / all.length),
    tasks_without_timestamp: unknown,
  };
}

function trendOf(counts: readonly number[]): Velocity['trend'] {
  const half = Math.floor(counts.length / 2);
  const sum = (part: readonly number[]) => part.reduce((total, count) => total + count, 0);
  const before = sum(counts.slice(0, half));
  const later = sum(counts.slice(counts.length - half));
  if (Math.abs(later - before) <= before * TREND_PART) return 'steady';
  return later > before ? 'rising' : 'falling';
}
