import * as z from 'zod/mini';
import { CYCLE_REASONS, decideCycle, iterationsOf } from '#core/graph/cycle-decision.js';
import { isExempt } from '#core/graph/ready.js';
import type { Status, Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { numberAt } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { membersOf } from './bottlenecks.js';
import { type Flow, flowOf, furthestReaching } from './flow.js';
import { ids, list, nullableText, status } from './shapes.js';

const deadEndShape = z.object({ id: z.string(), status, expected: z.boolean(), warning: nullableText });
export type DeadEnd = z.infer<typeof deadEndShape>;

export const structureShape = z.object({
  /** Tasks without existing predecessors, apart from back edges of cycles. */
  entry_points: ids,
  /** Tasks without dependents; `warning` explains an unexpected one. */
  dead_ends: list(deadEndShape),
  /** Entry points with the most dependents. */
  high_impact_roots: list(z.object({ id: z.string(), transitive_dependents: z.number() })),
});
export type Structure = z.infer<typeof structureShape>;

/** Entry points and dead ends of the graph. */
export function structureOf(view: GraphView): Structure {
  const flow = flowOf(view, () => true);
  const entries = flow.tasks.filter((task) => begins(view, task));
  const before = new Set(flow.tasks.flatMap((task) => (task.after ?? []).filter((id) => id !== task.id)));
  const ends = flow.tasks.filter((task) => !before.has(task.id));
  return {
    entry_points: entries.map((task) => task.id),
    dead_ends: ends.map((task) => deadEnd(view, task, flow.tasks.length > 1)),
    high_impact_roots: rootsOf(flow, entries),
  };
}

function begins(view: GraphView, task: Task): boolean {
  return (task.after ?? []).every((id) => view.task(id) === undefined || isExempt(view, task, id));
}

function deadEnd(view: GraphView, task: Task, hasOthers: boolean): DeadEnd {
  const alone = hasOthers && (task.after ?? []).every((id) => id === task.id || view.task(id) === undefined);
  const warning =
    task.status === 'failed'
      ? 'it failed, and nothing depends on it'
      : alone
        ? 'it is isolated: no dependencies or dependents'
        : null;
  return { id: task.id, status: task.status, expected: warning === null, warning };
}

function rootsOf(flow: Flow, entries: readonly Task[]): { id: string; transitive_dependents: number }[] {
  const entryIds = new Set(entries.map((task) => task.id));
  const groups: number[] = [];
  for (const [number, task] of flow.tasks.entries())
    if (entryIds.has(task.id)) groups.push(numberAt(flow.groupOf, number));
  const reaches = furthestReaching(flow, SURFACE_LIMITS.bottlenecks, groups).filter((reach) => reach.tasks > 0);
  const members = membersOf(flow, new Set(reaches.map((reach) => reach.group)));
  return reaches
    .flatMap(({ group, tasks }) =>
      (members.get(group) ?? [])
        .filter((task) => entryIds.has(task.id))
        .map((task) => ({ id: task.id, transitive_dependents: tasks })),
    )
    .slice(0, SURFACE_LIMITS.bottlenecks);
}

export const cycleReportShape = z.object({
  cycle_count: z.number(),
  cycles: list(
    z.object({
      header: z.string(),
      members: ids,
      member_count: z.number(),
      reducible: z.boolean(),
      member_statuses: z.readonly(z.record(z.string(), status)),
      iteration: z.number(),
      /** Maximum number of iterations; null without a config. */
      max_iterations: z.nullable(z.number()),
      /** Present decision about the cycle, and its reason. */
      last_decision: z.string(),
    }),
  ),
  /** Edges into a header from inside its cycle. */
  back_edges: list(z.object({ from: z.string(), to: z.string() })),
});
export type CycleReport = z.infer<typeof cycleReportShape>;

/** All cycles, including nested ones, by header. */
export function cycleReport(view: GraphView): CycleReport {
  const cycles = [...view.cycles()].sort((left, right) => compareText(left.header, right.header));
  const edges = cycles.flatMap((cycle) => {
    const inside = new Set(cycle.members);
    const back = [...new Set(view.task(cycle.header)?.after ?? [])].filter((id) => inside.has(id)).sort();
    return back.map((from) => ({ from, to: cycle.header }));
  });
  return {
    cycle_count: cycles.length,
    cycles: cycles.map((cycle) => {
      const decision = decideCycle(view, cycle);
      const statuses = cycle.members.flatMap((id): [string, Status][] => {
        const task = view.task(id);
        return task ? [[id, task.status]] : [];
      });
      return {
        header: cycle.header,
        members: cycle.members,
        member_count: cycle.members.length,
        reducible: cycle.reducible,
        member_statuses: Object.fromEntries(statuses),
        iteration: view.task(cycle.header)?.loop_iteration ?? 0,
        max_iterations: cycle.config === undefined ? null : iterationsOf(cycle.config.max_iterations),
        last_decision: `${decision.do}: ${CYCLE_REASONS[decision.why]}`,
      };
    }),
    back_edges: edges,
  };
}
