import { iterationsOf } from '#core/graph/cycle-decision.js';
import type { Cycle } from '#core/graph/cycles.js';
import type { GraphView } from '#core/graph/view.js';
import { isUnfinished } from './brief.js';
import { type Complaint, error, warning } from './complaint.js';
import { typed } from './typed.js';

/** A cycle without a config that is still to be done can never begin; one without a bound never goes round. */
export function checkCycles(view: GraphView): readonly Complaint[] {
  const cycles = [...view.cycles()].sort((left, right) => (left.header < right.header ? -1 : 1));
  return cycles.flatMap((cycle) => [...deadlock(view, cycle), ...unbounded(cycle), ...manyConfigs(cycle)]);
}

function deadlock(view: GraphView, { configured, header, members }: Cycle): readonly Complaint[] {
  const unfinished = members.some((id) => {
    const task = view.task(id);
    return task !== undefined && isUnfinished(task);
  });
  if (configured || !unfinished) return [];
  const hint =
    members.length === 1
      ? `It comes after itself and can never begin; \`troupe edit ${typed(header)} --remove-after ${typed(header)}\`.`
      : `${members.length} tasks wait for one another and none can begin; \`troupe edit ${typed(header)} --max-iterations 3\` makes it a cycle that goes round, or take away one edge.`;
  return [error('deadlock', header, members, hint)];
}

function unbounded({ config, header, members }: Cycle): readonly Complaint[] {
  if (config === undefined || iterationsOf(config.max_iterations) > 0) return [];
  const hint = `Its \`max_iterations\` is no number from 1 on, so it makes one pass only; \`troupe edit ${typed(header)} --max-iterations 3\`.`;
  return [error('unbounded', header, members, hint)];
}

function manyConfigs({ carriers, header }: Cycle): readonly Complaint[] {
  if (carriers.length < 2) return [];
  const others = carriers.filter((id) => id !== header);
  const hint = `Several members carry a cycle_config; that of ${header} counts. \`troupe edit ${typed(others[0] ?? '')} --clear cycle_config\` takes another away.`;
  return [warning('many_configs', header, carriers, hint)];
}
