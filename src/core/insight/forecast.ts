import * as z from 'zod/mini';
import { tasksInSight } from '#core/graph/in-sight.js';
import { type CycleHolds, readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { timestamp } from '#kernel/clock.js';
import { byId } from '#kernel/order.js';
import { blockersIn } from './blocking.js';
import { bottlenecks } from './bottlenecks.js';
import { estimateOf, isUnfinished, rounded, totalHours } from './brief.js';
import { type Rate, totalCosts } from './cost.js';
import { criticalPath } from './critical-path.js';
import { briefs, hours, list, nullableText, status } from './shapes.js';
import { velocity, WEEK_MS } from './velocity.js';

/** `completion_date` and `weeks_to_complete` are null if there is no data to compute them from. */
const forecastScenarioShape = z.object({
  name: z.string(),
  buffer_percent: z.number(),
  estimated_hours: z.number(),
  /** Only if a rate is known. */
  estimated_cost: z.optional(z.number()),
  completion_date: nullableText,
  weeks_to_complete: z.nullable(z.number()),
});

export const forecastShape = z.object({
  remaining_work: z.object({
    open_tasks: z.number(),
    open_hours: z.number(),
    blocked_tasks: z.number(),
    blocked_hours: z.number(),
    in_progress_tasks: z.number(),
    in_progress_hours: z.number(),
    total_hours: z.number(),
    /** Present only if an agent has a rate. */
    total_cost: z.optional(z.number()),
  }),
  scenarios: list(forecastScenarioShape),
  blockers: list(
    z.object({ id: z.string(), title: z.string(), status, hours_remaining: hours, tasks_blocked: z.number() }),
  ),
  critical_path: briefs,
  velocity_hours_per_week: z.number(),
  has_velocity_data: z.boolean(),
  has_estimates: z.boolean(),
});
export type Forecast = z.infer<typeof forecastShape>;

const SCENARIOS = [
  { name: 'as estimated', buffer_percent: 0 },
  { name: 'realistic', buffer_percent: 30 },
  { name: 'cautious', buffer_percent: 50 },
] as const;
const VELOCITY_WEEKS = 4;
const HOURS_A_WEEK = 7 * 24;
/** Later dates are meaningless and cannot be formatted. */
const WEEKS_MOST = 52 * 100;

/**
 * Forecasts the completion of the remaining work at the speed of the last four weeks. The critical path takes at least
 * its own hours, regardless of parallelism. With rates, also forecasts the remaining cost.
 */
export function forecast(view: GraphView, now: number, rate?: Rate): Forecast {
  const unfinished: Task[] = [];
  for (const task of tasksInSight(view)) if (isUnfinished(task)) unfinished.push(task);
  unfinished.sort(byId);
  const cycleHolds: CycleHolds = new Map();
  const parts = { open: [] as Task[], blocked: [] as Task[], working: [] as Task[] };
  for (const task of unfinished) parts[partOf(view, task, now, cycleHolds)].push(task);
  const total = totalHours(unfinished);
  const costs = rate && totalCosts(rate, unfinished);
  const speed = velocity(view, VELOCITY_WEEKS, now).average_hours_per_week;
  const path = criticalPath(view);
  const estimated = unfinished.some((task) => estimateOf(task, 'hours') !== undefined);
  const predictable = unfinished.length === 0 || (estimated && speed > 0);
  return {
    remaining_work: {
      open_tasks: parts.open.length,
      open_hours: totalHours(parts.open),
      blocked_tasks: parts.blocked.length,
      blocked_hours: totalHours(parts.blocked),
      in_progress_tasks: parts.working.length,
      in_progress_hours: totalHours(parts.working),
      total_hours: total,
      ...(costs ? { total_cost: costs.total } : {}),
    },
    scenarios: SCENARIOS.map(({ name, buffer_percent }) => {
      const buffer = 1 + buffer_percent / 100;
      const atSpeed = speed > 0 ? (total * buffer) / speed : 0;
      const weeks = Math.max(atSpeed, (path.total_hours * buffer) / HOURS_A_WEEK);
      const sayable = predictable && weeks <= WEEKS_MOST;
      return {
        name,
        buffer_percent,
        estimated_hours: rounded(total * buffer),
        ...(costs ? { estimated_cost: rounded(costs.stated + costs.hourly * buffer) } : {}),
        completion_date: sayable ? timestamp(now + Math.round(weeks * WEEK_MS)) : null,
        weeks_to_complete: sayable ? rounded(weeks) : null,
      };
    }),
    blockers: bottlenecks(view).bottlenecks.map(({ id, title, status, transitive_before }) => {
      const task = view.task(id);
      const hours = task ? estimateOf(task, 'hours') : undefined;
      return { id, title, status, hours_remaining: hours ?? null, tasks_blocked: transitive_before };
    }),
    critical_path: path.critical_path.map(({ id, title, status, hours }) => ({ id, title, status, hours })),
    velocity_hours_per_week: speed,
    has_velocity_data: speed > 0,
    has_estimates: estimated,
  };
}

/** Blocked are tasks that wait for something else first. */
function partOf(view: GraphView, task: Task, now: number, cycleHolds: CycleHolds): 'open' | 'blocked' | 'working' {
  if (task.status === 'in-progress' || task.status === 'pending-validation') return 'working';
  if (task.status !== 'open') return 'blocked';
  return blockersIn(readiness(view, task.id, now, cycleHolds).reasons).length > 0 ? 'blocked' : 'open';
}
