import * as z from 'zod/mini';
import { usageOf } from '#core/graph/attempts.js';
import { tasksInSight } from '#core/graph/in-sight.js';
import { isTask, STATUSES, type Status, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { countUp } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { estimateOf, isUnfinished, rounded, storedMoment, textsOf, totalHours } from './brief.js';
import { list, status } from './shapes.js';

export const statsShape = z.object({
  total_tasks: z.number(),
  by_status: z.readonly(z.record(status, z.number())),
  edges: z.number(),
  cycles: z.number(),
  /** Tags by number of tasks, most first. */
  tags: list(z.object({ tag: z.string(), tasks: z.number() })),
  estimated_hours: z.number(),
  estimated_cost: z.number(),
  remaining_hours: z.number(),
  /** Mean time of done tasks from claim to end; null if no task has both. */
  average_seconds: z.nullable(z.number()),
  retries: z.number(),
  spent_usd: z.number(),
  tokens: z.number(),
});
export type Stats = z.infer<typeof statsShape>;

const TAGS_MOST = 20;

/** Statistics of the whole graph. Internal tasks count only for usage. */
export function statsOf(view: GraphView): Stats {
  const all = [...view.nodes()].filter(isTask);
  const tasks = [...tasksInSight(view)];
  const byStatus = Object.fromEntries(STATUSES.map((status) => [status, 0])) as Record<Status, number>;
  const tags = new Map<string, number>();
  for (const task of tasks) {
    byStatus[task.status]++;
    for (const tag of new Set(textsOf(task.tags))) countUp(tags, tag);
  }
  const times = tasks.flatMap(tookMs);
  const sum = (of: (task: Task) => number, counted = tasks) => counted.reduce((total, task) => total + of(task), 0);
  return {
    total_tasks: tasks.length,
    by_status: byStatus,
    edges: sum((task) => new Set(task.after).size),
    cycles: [...view.cycles()].length,
    tags: [...tags]
      .map(([tag, count]) => ({ tag, tasks: count }))
      .sort((left, right) => right.tasks - left.tasks || compareText(left.tag, right.tag))
      .slice(0, TAGS_MOST),
    estimated_hours: totalHours(tasks),
    estimated_cost: rounded(sum((task) => estimateOf(task, 'cost') ?? 0)),
    remaining_hours: totalHours(tasks.filter(isUnfinished)),
    average_seconds:
      times.length === 0 ? null : Math.round(times.reduce((all, ms) => all + ms, 0) / times.length / 1_000),
    retries: sum((task) => numberOf(task.retry_count)),
    spent_usd: rounded(sum((task) => usageOf(task, 'cost_usd'), all)),
    tokens: sum((task) => usageOf(task, 'input_tokens') + usageOf(task, 'output_tokens'), all),
  };
}

function tookMs(task: Task): number[] {
  const start = storedMoment(task.started_at);
  const end = storedMoment(task.completed_at);
  return task.status === 'done' && start !== undefined && end !== undefined && end >= start ? [end - start] : [];
}

function numberOf(value: unknown): number {
  return Number.isFinite(value) ? Number(value) : 0;
}
