import { expect, test } from 'vitest';
import { aging } from '#core/insight/aging.js';
import { bottlenecks } from '#core/insight/bottlenecks.js';
import { criticalPath } from '#core/insight/critical-path.js';
import { discover } from '#core/insight/discover.js';
import { coordinate } from '#core/insight/next.js';
import { planWork } from '#core/insight/plan.js';
import { structureOf } from '#core/insight/structure.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { graphOf, NOW, type TaskFields } from '../graph/graph.js';

const MOST = SURFACE_LIMITS.analysisRows;
const DAY = 86_400_000;
const ago = (days: number) => new Date(NOW - days * DAY).toISOString();
/** Tasks in the order of their ids. */
const some = (count: number, fields: (number: number) => TaskFields) =>
  Array.from({ length: count }, (_, number) => ({ id: `t${String(number).padStart(4, '0')}`, ...fields(number) }));
const ids = (rows: readonly { readonly id: string }[]) => [rows.length, rows[0]?.id, rows.at(-1)?.id];
const LAST = `t${String(MOST - 1).padStart(4, '0')}`;

test('a plan lists as many tasks as are read, of those selected and of those left out', () => {
  const graph = graphOf(...some(MOST + 1, () => ({ estimate: { hours: 1 } })));
  const all = planWork(graph, {}, NOW);
  expect([ids(all.selected), all.left_out, all.total_hours]).toEqual([[MOST, 't0000', LAST], [], MOST + 1]);
  const none = planWork(graph, { hours: 0 }, NOW);
  expect([none.selected, ids(none.left_out)]).toEqual([[], [MOST, 't0000', LAST]]);
});

test('the other lists of tasks are cut at the same length, and their counts are not', () => {
  const open = graphOf(...some(MOST + 1, () => ({})));
  const held = graphOf(
    ...some(MOST + 1, () => ({ status: 'in-progress', assigned: 'Ann', created_at: ago(5), started_at: ago(2) })),
  );
  const next = graphOf({ id: 'first' }, ...some(MOST + 1, () => ({ after: ['first'] })));
  const review = graphOf(...some(MOST + 1, () => ({ status: 'pending-validation' })));
  const done = graphOf(...some(MOST + 1, () => ({ status: 'done', completed_at: ago(0.5) })));
  expect({
    ready: ids(coordinate(open, NOW).ready),
    ready_count: coordinate(open, NOW).ready_count,
    in_progress: ids(coordinate(held, NOW).in_progress),
    next: ids(coordinate(next, NOW).next),
    needs_person: ids(coordinate(review, NOW).needs_person),
    oldest: ids(aging(held, NOW).oldest),
    stale: ids(aging(held, NOW).stale),
    slack: ids(criticalPath(open).slack_analysis),
    discovered: discover(done, NOW - DAY).tasks.length,
  }).toEqual({
    ready: [MOST, 't0000', LAST],
    ready_count: MOST + 1,
    in_progress: [MOST, 't0000', LAST],
    next: [MOST, 't0000', LAST],
    needs_person: [MOST, 't0000', LAST],
    oldest: [10, 't0000', 't0009'],
    stale: [MOST, 't0000', LAST],
    slack: [MOST, 't0000', LAST],
    discovered: MOST,
  });
});

test('bottlenecks and roots are the first few with the most dependents', () => {
  const most = SURFACE_LIMITS.bottlenecks;
  const pairs = some(most + 1, () => ({})).flatMap((task) => [task, { id: `z-${task.id}`, after: [task.id] }]);
  const found = [
    ids(bottlenecks(graphOf(...pairs)).bottlenecks),
    ids(structureOf(graphOf(...pairs)).high_impact_roots),
  ];
  const last = `t${String(most - 1).padStart(4, '0')}`;
  expect(found).toEqual([
    [most, 't0000', last],
    [most, 't0000', last],
  ]);
});
