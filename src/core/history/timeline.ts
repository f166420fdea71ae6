import * as z from 'zod/mini';
import type { Task } from '#core/graph/task.js';
import { compareText } from '#kernel/order.js';

export const timelineBarShape = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  from: z.string(),
  to: z.string(),
});
export type TimelineBar = z.infer<typeof timelineBarShape>;

/** Tasks over time. Bars of one lane never overlap, so the number of lanes is the maximum concurrency. */
export const timelineShape = z.object({
  /** Null if no task was ever started. */
  from: z.nullable(z.string()),
  to: z.nullable(z.string()),
  lanes: z.readonly(z.array(z.readonly(z.array(timelineBarShape)))),
});
export type Timeline = z.infer<typeof timelineShape>;

/** Places each started task in a lane that is free at its start. A task that has not ended extends to `now`. */
export function timelineOf(tasks: readonly Task[], now: string): Timeline {
  const bars = tasks.flatMap((task) => barOf(task, now) ?? []);
  const byStart = [...bars].sort((left, right) => compare(left.from, right.from) || compareText(left.id, right.id));
  const byEnd = [...bars].sort((left, right) => compare(left.to, right.to));
  const laneOf = new Map<TimelineBar, number>();
  const lanes: TimelineBar[][] = [];
  const free: number[] = [];
  let ended = 0;
  for (const bar of byStart) {
    for (let other = byEnd[ended]; other && compare(other.to, bar.from) <= 0; other = byEnd[ended]) {
      const lane = laneOf.get(other);
      if (lane === undefined) break; // zero duration, not placed yet
      free.push(lane);
      ended++;
    }
    const lane = free.pop() ?? lanes.length;
    laneOf.set(bar, lane);
    if (lanes[lane]) lanes[lane].push(bar);
    else lanes.push([bar]);
  }
  return { from: byStart[0]?.from ?? null, to: byEnd.at(-1)?.to ?? null, lanes };
}

function compare(left: string, right: string): number {
  return Date.parse(left) - Date.parse(right);
}

function barOf(task: Task, now: string): TimelineBar | undefined {
  const { id, title, status } = task;
  const from = task.started_at ?? task.completed_at;
  if (from === undefined || Number.isNaN(Date.parse(from))) return undefined;
  const end = task.completed_at !== undefined && !Number.isNaN(Date.parse(task.completed_at)) ? task.completed_at : now;
  const to = Date.parse(end) < Date.parse(from) ? from : end;
  return { id, title, status, from, to };
}
