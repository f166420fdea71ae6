import { CYCLE_REASONS, decideCycle, iterationsOf } from '#core/graph/cycle-decision.js';
import { isExempt } from '#core/graph/ready.js';
import type { Status, Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { numberAt } from '#kernel/numbers.js';
import { compareText } from '#kernel/order.js';
import { membersOf } from './bottlenecks.js';
import { type Flow, flowOf, furthestReaching } from './flow.js';

export interface Structure {
  /** Tasks without existing predecessors, apart from back edges of cycles. */
  readonly entry_points: readonly string[];
  /** Tasks without dependents; `warning` explains an unexpected one. */
  readonly dead_ends: readonly DeadEnd[];
  /** Entry points with the most dependents. */
  readonly high_impact_roots: readonly { readonly id: string; readonly transitive_dependents: number }[];
}

export interface DeadEnd {
  readonly id: string;
  readonly status: Status;
  readonly expected: boolean;
  readonly warning: string | null;
}

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

export interface CycleReport {
  readonly cycle_count: number;
  readonly cycles: readonly {
    readonly header: string;
    readonly members: readonly string[];
    readonly member_count: number;
    readonly reducible: boolean;
    readonly member_statuses: Readonly<Record<string, Status>>;
    readonly iteration: number;
    /** Maximum number of iterations; null without a config. */
    readonly max_iterations: number | null;
    /** Present decision about the cycle, and its reason. */
    readonly last_decision: string;
  }[];
  /** Edges into a header from inside its cycle. */
  readonly back_edges: readonly { readonly from: string; readonly to: string }[];
}

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
