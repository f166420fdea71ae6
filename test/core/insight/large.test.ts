import { expect, test } from 'vitest';
import type { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import { aging } from '#core/insight/aging.js';
import { blockingOf } from '#core/insight/blocking.js';
import { bottlenecks } from '#core/insight/bottlenecks.js';
import { checkGraph } from '#core/insight/check.js';
import { costOf } from '#core/insight/cost.js';
import { criticalPath } from '#core/insight/critical-path.js';
import { forecast } from '#core/insight/forecast.js';
import { impactOf } from '#core/insight/impact.js';
import { coordinate, nextUp } from '#core/insight/next.js';
import { planWork } from '#core/insight/plan.js';
import { cycleReport, structureOf } from '#core/insight/structure.js';
import { workload } from '#core/insight/workload.js';
import { mass } from '../../mass.js';
import type { TaskFields } from '../graph/graph.js';
import { graphOf, NOW } from '../graph/graph.js';

/** Either is more than any stack holds: 16,000 frames of the smallest function fill it. */
const COUNT = mass(17_000, 100_000);
const id = (number: number) => `t${String(number).padStart(6, '0')}`;
const chain = (first: readonly string[], extra: TaskFields = {}) =>
  graphOf(
    ...Array.from({ length: COUNT }, (_, number) =>
      number === 0 ? { id: id(0), after: first, ...extra } : { id: id(number), after: [id(number - 1)] },
    ),
  );

function everything(graph: GraphState): unknown[] {
  const last = graph.task(id(COUNT - 1)) as Task;
  return [
    criticalPath(graph).task_count,
    bottlenecks(graph).bottlenecks[0]?.transitive_before,
    impactOf(graph, id(0)).transitive_dependents.length,
    costOf(graph, last.id).missing_estimates.length,
    blockingOf(graph, last, NOW).total_blockers,
    structureOf(graph).high_impact_roots,
    cycleReport(graph).cycle_count,
    checkGraph(graph, []).errors,
    forecast(graph, NOW).blockers.length,
    nextUp(graph, undefined, NOW, {}).waiting_for_it,
    planWork(graph, {}, NOW).missing_estimates.length,
    coordinate(graph, NOW).waiting_count,
    workload(graph, NOW).unassigned.task_ids.length,
    aging(graph, NOW).tasks_without_timestamp,
  ];
}

test(`a chain of ${COUNT} tasks needs no deep stack`, () => {
  const rest = COUNT - 1;
  const roots = [{ id: id(0), transitive_dependents: rest }];
  expect(everything(chain([]))).toEqual([
    ...[COUNT, rest, rest, COUNT, rest, roots, 0, 0],
    ...[10, rest, COUNT, rest, COUNT, COUNT],
  ]);
});

test(`a cycle of ${COUNT} tasks ends, configured or not`, () => {
  const rest = COUNT - 1;
  const last = [id(COUNT - 1)];
  const roots = [{ id: id(0), transitive_dependents: rest }];
  expect(everything(chain(last))).toEqual([
    ...[0, rest, rest, COUNT, rest, [], 1, 1],
    ...[10, 0, 0, COUNT, COUNT, COUNT],
  ]);
  expect(everything(chain(last, { cycle_config: { max_iterations: 2 } }))).toEqual([
    ...[0, rest, rest, COUNT, rest, roots, 1, 0],
    ...[10, rest, COUNT, rest, COUNT, COUNT],
  ]);
});
