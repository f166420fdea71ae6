import * as z from 'zod/mini';
import { sortedById } from '#core/graph/line.js';
import { type CycleHolds, readiness } from '#core/graph/ready.js';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { numberAt } from '#kernel/numbers.js';
import { blockersIn } from './blocking.js';
import { briefOf, estimateOf, isUnfinished } from './brief.js';
import { costWith, type Rate } from './cost.js';
import { hoursToTheEnd } from './critical-path.js';
import { NumberHeap } from './heaps.js';
import { brief, ids, list } from './shapes.js';

const costed = z.extend(brief, { cost: z.nullable(z.number()) });

export const workPlanShape = z.object({
  budget: z.nullable(z.number()),
  hours: z.nullable(z.number()),
  /** In topological order. */
  selected: list(costed),
  /** Tasks that could come next but do not fit. */
  left_out: list(costed),
  total_hours: z.number(),
  total_cost: z.number(),
  remaining_hours: z.nullable(z.number()),
  remaining_budget: z.nullable(z.number()),
  /** Selected tasks without any estimate: they count as zero. */
  missing_estimates: ids,
});
export type WorkPlan = z.infer<typeof workPlanShape>;

const PLACES = 10_000;
const whole = (value: number | undefined): number => Math.round((value ?? 0) * PLACES);

/**
 * Selects work for a given budget and hours: repeatedly takes, of the tasks without unselected blockers, the one with
 * the longest chain of dependents. A task that does not fit is left out, together with its dependents.
 */
export function planWork(
  view: GraphView,
  most: { readonly budget?: number | undefined; readonly hours?: number | undefined },
  now: number,
  rate?: Rate,
): WorkPlan {
  const withCost = (task: Task) => ({ ...briefOf(task), cost: costWith(rate, task) ?? null });
  const tasks = sortedById(view.nodes()).filter(isTask).filter(isUnfinished);
  const { heap, blockerCounts, dependents } = queueOf(view, tasks, now);
  const remaining = { hours: limitOf(most.hours), cost: limitOf(most.budget) };
  const selected: Task[] = [];
  const out: Task[] = [];
  for (let number = heap.pop(); number !== undefined; number = heap.pop()) {
    const task = tasks[number];
    if (!task) continue;
    const takes = { hours: whole(estimateOf(task, 'hours')), cost: whole(costWith(rate, task)) };
    if (takes.hours > remaining.hours || takes.cost > remaining.cost) {
      out.push(task);
      continue;
    }
    remaining.hours -= takes.hours;
    remaining.cost -= takes.cost;
    selected.push(task);
    for (const other of dependents.get(task.id) ?? []) {
      blockerCounts[other] = numberAt(blockerCounts, other) - 1;
      if (blockerCounts[other] === 0) heap.push(other);
    }
  }
  const sum = (amount: (task: Task) => number | undefined) =>
    selected.reduce((total, task) => total + whole(amount(task)), 0);
  return {
    budget: most.budget ?? null,
    hours: most.hours ?? null,
    selected: selected.slice(0, SURFACE_LIMITS.analysisRows).map(withCost),
    left_out: out.slice(0, SURFACE_LIMITS.analysisRows).map(withCost),
    total_hours: sum((task) => estimateOf(task, 'hours')) / PLACES,
    total_cost: sum((task) => costWith(rate, task)) / PLACES,
    remaining_hours: most.hours === undefined ? null : remaining.hours / PLACES,
    remaining_budget: most.budget === undefined ? null : remaining.cost / PLACES,
    missing_estimates: selected
      .filter((task) => estimateOf(task, 'hours') === undefined && estimateOf(task, 'cost') === undefined)
      .map((task) => task.id)
      .sort(),
  };
}

function limitOf(value: number | undefined): number {
  return value === undefined ? Number.POSITIVE_INFINITY : whole(value);
}

/** Initial queue: the heap contains the numbers of unblocked tasks; for the others the number of blockers is kept. */
function queueOf(view: GraphView, tasks: readonly Task[], now: number) {
  const toTheEnd = hoursToTheEnd(view);
  const way = tasks.map((task) => toTheEnd.get(task.id) ?? estimateOf(task, 'hours') ?? 0);
  const heap = new NumberHeap((left, right) => numberAt(way, right) - numberAt(way, left) || left - right);
  const blockerCounts = new Int32Array(tasks.length);
  const dependents = new Map<string, number[]>();
  const cycleHolds: CycleHolds = new Map();
  for (const [number, task] of tasks.entries()) {
    const holding = canGoOn(task) ? blockersIn(readiness(view, task.id, now, cycleHolds).reasons) : [task.id];
    blockerCounts[number] = holding.length;
    if (holding.length === 0) heap.push(number);
    for (const id of holding) {
      const list = dependents.get(id);
      if (list) list.push(number);
      else dependents.set(id, [number]);
    }
  }
  return { heap, blockerCounts, dependents };
}

/** Whether a task may be planned. Tasks that a person stopped are excluded, together with their dependents. */
function canGoOn(task: Task): boolean {
  return task.paused !== true && task.status !== 'blocked';
}
