import * as z from 'zod/mini';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { numberAt } from '#kernel/numbers.js';
import { briefOf, hoursOf, isUnfinished, rounded, unitsOf } from './brief.js';
import { type Flow, flowOf, outermostCycles } from './flow.js';
import { brief, ids, list } from './shapes.js';

const slackShape = z.object({ id: z.string(), title: z.string(), slack_hours: z.number(), note: z.string() });
export type Slack = z.infer<typeof slackShape>;

export const criticalPathShape = z.object({
  critical_path: list(z.extend(brief, { after: ids })),
  task_count: z.number(),
  total_hours: z.number(),
  /** Sorted by slack, least first. */
  slack_analysis: list(slackShape),
  /** Number of cycles with unfinished members that were excluded. */
  cycles_skipped: z.number(),
});
export type CriticalPath = z.infer<typeof criticalPathShape>;

/**
 * Longest chain of unfinished tasks by estimated hours. Members of cycles are excluded, because a cycle has no defined
 * end.
 */
export function criticalPath(view: GraphView): CriticalPath {
  const cycleOf = outermostCycles(view);
  const skipped = new Set<string>();
  for (const [id, header] of cycleOf) {
    const task = view.task(id);
    if (task && isUnfinished(task)) skipped.add(header);
  }
  const flow = flowOf(view, (task) => isUnfinished(task) && !cycleOf.has(task.id));
  const rest = restOf(flow);
  const path = pathOf(flow, rest);
  const onPath = new Set(path);
  const whole = Math.max(0, ...path.slice(0, 1).map((number) => numberAt(rest.units, number)));
  return {
    critical_path: path.flatMap((number) => {
      const task = flow.tasks[number];
      return task ? [{ ...briefOf(task), after: [...(task.after ?? [])] }] : [];
    }),
    task_count: path.length,
    total_hours: hoursOf(whole),
    slack_analysis: slackOf(flow, rest.units, whole, onPath),
    cycles_skipped: skipped.size,
  };
}

interface Rest {
  /** Length from the start of each task to the end of the longest chain after it. */
  readonly units: Float64Array;
  /** Next task on that chain; -1 at its end. */
  readonly next: Int32Array;
  readonly tasks: Int32Array;
}

/** Without cycles, every group is a single task and has its number. */
function restOf({ tasks, order, next }: Flow): Rest {
  const rest = {
    units: new Float64Array(tasks.length),
    next: new Int32Array(tasks.length).fill(-1),
    tasks: new Int32Array(tasks.length),
  };
  for (const number of order.toReversed()) {
    let best = -1;
    for (let edge = numberAt(next.starts, number); edge < numberAt(next.starts, number + 1); edge++) {
      const other = numberAt(next.ends, edge);
      if (best === -1 || isLonger(rest, other, best)) best = other;
    }
    const task = tasks[number];
    rest.units[number] = (task ? unitsOf(task) : 0) + (best === -1 ? 0 : numberAt(rest.units, best));
    rest.tasks[number] = 1 + (best === -1 ? 0 : numberAt(rest.tasks, best));
    rest.next[number] = best;
  }
  return rest;
}

/** More hours, then more tasks, then the smaller id; numbers follow id order. */
function isLonger({ units, tasks }: Rest, left: number, right: number): boolean {
  const hours = numberAt(units, left) - numberAt(units, right);
  const count = numberAt(tasks, left) - numberAt(tasks, right);
  return hours > 0 || (hours === 0 && (count > 0 || (count === 0 && left < right)));
}

function pathOf(flow: Flow, rest: Rest): number[] {
  let first = -1;
  for (let number = 0; number < flow.tasks.length; number++) {
    if (first === -1 || isLonger(rest, number, first)) first = number;
  }
  const path: number[] = [];
  for (let number = first; number !== -1; number = numberAt(rest.next, number)) path.push(number);
  return path;
}

/** Computes slack: the difference between a task's latest start that does not delay the end and its earliest start. */
function slackOf(flow: Flow, rest: Float64Array, whole: number, onPath: ReadonlySet<number>): Slack[] {
  const { tasks, order, next } = flow;
  const earliest = new Float64Array(tasks.length);
  for (const number of order) {
    const task = tasks[number];
    const end = numberAt(earliest, number) + (task ? unitsOf(task) : 0);
    for (let edge = numberAt(next.starts, number); edge < numberAt(next.starts, number + 1); edge++) {
      const other = numberAt(next.ends, edge);
      earliest[other] = Math.max(numberAt(earliest, other), end);
    }
  }
  const slack = (number: number) => whole - numberAt(rest, number) - numberAt(earliest, number);
  return [...tasks.keys()]
    .map((number) => ({ number, units: slack(number) }))
    .sort((left, right) => left.units - right.units || left.number - right.number)
    .slice(0, SURFACE_LIMITS.analysisRows)
    .flatMap(({ number, units }) => {
      const task = tasks[number];
      if (!task) return [];
      return [{ id: task.id, title: task.title, slack_hours: hoursOf(units), note: noteOf(units, onPath.has(number)) }];
    });
}

function noteOf(units: number, onPath: boolean): string {
  if (onPath) return 'on the critical path: a delay here delays the end';
  return units === 0 ? 'no slack: a delay here delays the end too' : `can start ${rounded(hoursOf(units))} h late`;
}

/** Hours from the start of each unfinished task outside cycles to the end of its longest chain of dependents. */
export function hoursToTheEnd(view: GraphView): ReadonlyMap<string, number> {
  const cycleOf = outermostCycles(view);
  const flow = flowOf(view, (task) => isUnfinished(task) && !cycleOf.has(task.id));
  const rest = restOf(flow);
  return new Map(flow.tasks.map((task: Task, number) => [task.id, hoursOf(numberAt(rest.units, number))]));
}
