import { CYCLE_REASONS, decideCycle, iterationsOf } from '#core/graph/cycle-decision.js';
import type { Status } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

export interface CycleReport {
  readonly cycle_count: number;
  readonly cycles: readonly {
    readonly header: string;
    readonly members: readonly string[];
    readonly member_count: number;
    readonly reducible: boolean;
    readonly member_statuses: Readonly<Record<string, Status>>;
    readonly iteration: number;
    /** How often it may be re-opened; null without a config. */
    readonly max_iterations: number | null;
    /** What becomes of it as things are, and why. */
    readonly last_decision: string;
  }[];
  /** The edges into a header from inside its cycle. */
  readonly back_edges: readonly { readonly from: string; readonly to: string }[];
}

/** All cycles, those inside others too, by header. */
export function cycleReport(view: GraphView): CycleReport {
  const cycles = [...view.cycles()].sort((left, right) => (left.header < right.header ? -1 : 1));
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
