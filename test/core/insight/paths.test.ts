import { expect, test } from 'vitest';
import { bottlenecks } from '#core/insight/bottlenecks.js';
import { costOf } from '#core/insight/cost.js';
import { criticalPath } from '#core/insight/critical-path.js';
import { impactOf } from '#core/insight/impact.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { verifies } from '../../verifies.js';
import { graphOf } from '../graph/graph.js';

const hours = (value: number) => ({ estimate: { hours: value } });

verifies('graph.show.critical-path', 'the longest chain by hours, with the slack of everything else', () => {
  const graph = graphOf(
    { id: 'before', status: 'done', ...hours(100) },
    { id: 'a', after: ['before'], ...hours(2) },
    { id: 'b', after: ['a'], ...hours(0.1) },
    { id: 'c', after: ['a'], ...hours(5) },
    { id: 'd', after: ['b', 'c', 'nobody'], ...hours(0.2) },
    { id: 'e' },
    { id: 'x', after: ['y'], ...hours(50) },
    { id: 'y', after: ['x'], ...hours(50) },
  );
  const found = criticalPath(graph);
  expect(found.critical_path).toEqual([
    { id: 'a', title: 'a', status: 'open', hours: 2, after: ['before'] },
    { id: 'c', title: 'c', status: 'open', hours: 5, after: ['a'] },
    { id: 'd', title: 'd', status: 'open', hours: 0.2, after: ['b', 'c', 'nobody'] },
  ]);
  expect(found).toMatchObject({ task_count: 3, total_hours: 7.2, cycles_skipped: 1 });
  expect(found.slack_analysis.map((row) => [row.id, row.slack_hours])).toEqual([
    ['a', 0],
    ['c', 0],
    ['d', 0],
    ['b', 4.9],
    ['e', 7.2],
  ]);
  expect(found.slack_analysis.map((row) => row.note).at(-1)).toBe('can start 7.2 h late');
});

verifies('graph.show.critical-path', 'missing hours are none; equal hours go by tasks, then by ids', () => {
  const chain = (...tasks: Parameters<typeof graphOf>) =>
    criticalPath(graphOf(...tasks)).critical_path.map((row) => row.id);
  expect(chain({ id: 'a' }, { id: 'b', after: ['a'] }, { id: 'c' })).toEqual(['a', 'b']);
  expect(chain({ id: 'z', ...hours(3) }, { id: 'a', ...hours(1) }, { id: 'b', after: ['a'], ...hours(2) })).toEqual([
    'a',
    'b',
  ]);
  expect(
    chain({ id: 'r' }, { id: 'q', after: ['r'] }, { id: 'p', after: ['r'] }, { id: 's', after: ['p', 'q'] }),
  ).toEqual(['r', 'p', 's']);
  // The same hours in another order of adding are the same hours: the smaller id begins.
  const parts = [0.1, 0.2, 0.3];
  const row = (prefix: string, list: readonly number[]) =>
    list.map((value, place) => ({
      id: `${prefix}${place}`,
      after: place === 0 ? [] : [`${prefix}${place - 1}`],
      ...hours(value),
    }));
  expect(chain(...row('b', parts), ...row('a', [...parts].reverse()))).toEqual(['a0', 'a1', 'a2']);
  expect(criticalPath(graphOf())).toEqual({
    critical_path: [],
    task_count: 0,
    total_hours: 0,
    slack_analysis: [],
    cycles_skipped: 0,
  });
});

test('what a hand wrote as an estimate and is none counts as nothing', () => {
  const odd = { estimate: { hours: 'many', cost: -4 } } as never;
  const graph = graphOf({ id: 'a', ...(odd as object) }, { id: 'b', after: ['a'], ...hours(1) });
  expect(criticalPath(graph).total_hours).toBe(1);
  expect(costOf(graph, 'b')).toEqual({ task_id: 'b', total_cost: 0, total_hours: 1, missing_estimates: ['a'] });
});

verifies(
  'graph.show.bottlenecks',
  'unfinished tasks with what waits for them, and advice by their part of the graph',
  () => {
    const leaves = Array.from({ length: 8 }, (_, number) => ({ id: `leaf-${number}`, after: ['hub'] }));
    const others = Array.from({ length: 8 }, (_, number) => ({ id: `other-${number}`, status: 'done' as const }));
    const graph = graphOf(
      { id: 'root', assigned: 'ann', status: 'in-progress' },
      { id: 'hub', after: ['root', 'root'] },
      { id: 'small', status: 'failed' },
      { id: 'last', after: ['leaf-0', 'leaf-1', 'small'] },
      ...leaves,
      ...others,
    );
    const { bottlenecks: rows, total_tasks } = bottlenecks(graph);
    expect(total_tasks).toBe(20);
    expect(rows.slice(0, 3)).toEqual([
      {
        id: 'root',
        title: 'root',
        direct_blocks: 1,
        transitive_before: 10,
        status: 'in-progress',
        assigned: 'ann',
        recommendation: '50 % of the graph depends on it: see that it gets finished, or split it',
      },
      expect.objectContaining({ id: 'hub', direct_blocks: 8, transitive_before: 9, assigned: null }),
      expect.objectContaining({ id: 'leaf-0', direct_blocks: 1, transitive_before: 1 }),
    ]);
    expect(rows.at(-1)).toMatchObject({ id: 'leaf-1', recommendation: 'little depends on it' });
    const tenth = bottlenecks(graphOf({ id: 'a' }, { id: 'b', after: ['a'] }, ...others)).bottlenecks;
    expect(tenth[0]?.recommendation).toBe('10 % of the graph depends on it: start it before the others');
    const fifth = bottlenecks(graphOf({ id: 'a' }, { id: 'b', after: ['a'] }, ...others.slice(0, 3))).bottlenecks;
    expect(fifth[0]?.recommendation).toContain('or split it');
  },
);

test('no more than ten, also when they are of one cycle', () => {
  const ring = Array.from({ length: 30 }, (_, number) => ({ id: `r${number}`, after: [`r${(number + 29) % 30}`] }));
  const rows = bottlenecks(graphOf(...ring)).bottlenecks;
  expect(rows).toHaveLength(10);
  expect(rows.every((row) => row.transitive_before === 29)).toBe(true);
});

verifies('graph.show.impact', 'who depends on it, directly and by whatever way, and what is at risk', () => {
  const graph = graphOf(
    { id: 'a', ...hours(9) },
    { id: 'c', after: ['a'], ...hours(2) },
    { id: 'b', after: ['a', 'a'], ...hours(1) },
    { id: 'd', after: ['b', 'c'], ...hours(0.5) },
    { id: 'e', after: ['b'], status: 'done', ...hours(4) },
    { id: 'elsewhere', ...hours(7) },
  );
  const found = impactOf(graph, 'a');
  expect(Object.keys(found)).toEqual([
    'task',
    'direct_dependents',
    'transitive_dependents',
    'dependency_chains',
    'impact_summary',
  ]);
  expect(found.task).toEqual({ id: 'a', title: 'a', status: 'open', hours: 9 });
  expect(found.direct_dependents.map((row) => row.id)).toEqual(['b', 'c']);
  expect(found.transitive_dependents.map((row) => row.id)).toEqual(['b', 'c', 'd', 'e']);
  expect(found.dependency_chains).toEqual([
    ['a', 'b', 'd'],
    ['a', 'b', 'e'],
    ['a', 'c', 'd'],
  ]);
  expect(found.impact_summary).toEqual({ total_tasks_affected: 3, total_hours_at_risk: 3.5 });
  expect(impactOf(graph, 'elsewhere')).toMatchObject({ transitive_dependents: [], dependency_chains: [] });
  expect(() => impactOf(graph, 'elsewere')).toThrowError(/no task elsewere/);
});

verifies('graph.show.impact', 'ends on cycles and follows at most a hundred ways', () => {
  const loop = graphOf(
    { id: 'a', after: ['c', 'a'] },
    { id: 'b', after: ['a'] },
    { id: 'c', after: ['b'] },
    { id: 'z', after: ['c'] },
  );
  expect(impactOf(loop, 'a').dependency_chains).toEqual([['a', 'b', 'c', 'z']]);
  expect(impactOf(loop, 'a').transitive_dependents.map((row) => row.id)).toEqual(['b', 'c', 'z']);
  const ladder = graphOf(
    { id: 'n0' },
    ...Array.from({ length: 200 }, (_, step) => [
      { id: `l${step}`, after: [`n${step}`] },
      { id: `r${step}`, after: [`n${step}`] },
      { id: `n${step + 1}`, after: [`l${step}`, `r${step}`] },
    ]).flat(),
  );
  const { dependency_chains: chains } = impactOf(ladder, 'n0');
  expect(chains).toHaveLength(SURFACE_LIMITS.impactChains);
  expect(Math.max(...chains.map((chain) => chain.length))).toBe(SURFACE_LIMITS.impactChainTasks);
  expect(new Set(chains.map((chain) => chain.join())).size).toBe(SURFACE_LIMITS.impactChains);
});

verifies('graph.show.cost', 'a task with all before it, each once, also around a cycle', () => {
  const graph = graphOf(
    { id: 'root', estimate: { cost: 10, hours: 1 } },
    { id: 'left', after: ['root', 'nobody'], estimate: { cost: 0.1 } },
    { id: 'right', after: ['root'], status: 'done', estimate: { cost: 0.2 } },
    { id: 'join', after: ['left', 'right'], estimate: { hours: 2 } },
    { id: 'loop', after: ['join', 'turn'] },
    { id: 'turn', after: ['loop'], estimate: { hours: 0, cost: 0 } },
    { id: 'later', after: ['loop'], estimate: { cost: 99 } },
  );
  expect(costOf(graph, 'join')).toEqual({ task_id: 'join', total_cost: 10.3, total_hours: 3, missing_estimates: [] });
  expect(costOf(graph, 'turn')).toEqual({
    task_id: 'turn',
    total_cost: 10.3,
    total_hours: 3,
    missing_estimates: ['loop'],
  });
});

test('what says neither hours nor cost is named in the order of ids', () => {
  const graph = graphOf({ id: 'a', after: ['c', 'b'] }, { id: 'b' }, { id: 'c' }, { id: 'z', after: ['a'] });
  expect(costOf(graph, 'z').missing_estimates).toEqual(['a', 'b', 'c', 'z']);
});
