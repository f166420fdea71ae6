import { expect, test } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import type { CycleConfig } from '#core/graph/task.js';
import { checkGraph, checkMerge, fromReading } from '#core/insight/check.js';
import { cycleReport, structureOf } from '#core/insight/structure.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { graphOf } from '../graph/graph.js';

const codes = (...tasks: (TaskFields & { id: string })[]) =>
  checkGraph(graphOf(...tasks), []).problems.map((problem) => `${problem.severity} ${problem.code} ${problem.task_id}`);

verifies('graph.show.check', 'a sound graph has nothing to put right', () => {
  const graph = graphOf(
    { id: 'done', status: 'done', assigned: 'ann' },
    { id: 'a', after: ['done', 'peer:far-away'], before: ['b'] },
    { id: 'b', after: ['a'], after_success: ['a'] },
    { id: 'c', after: ['d'], cycle_config: { max_iterations: 2 } },
    { id: 'd', after: ['c'] },
  );
  expect(checkGraph(graph, [])).toEqual({
    ok: true,
    errors: 0,
    warnings: 0,
    node_count: 5,
    problems: [],
    structural_cycles: [{ header: 'c', members: ['c', 'd'], reducible: true }],
  });
});

verifies(
  ['graph.show.check', 'graph.cycle.unconfigured'],
  'errors: cycles that never begin and cycles without a bound',
  () => {
    expect(codes({ id: 'a', after: ['b'] }, { id: 'b', after: ['a'] })).toEqual(['error deadlock a']);
    expect(codes({ id: 'a', after: ['a'] })).toEqual(['error deadlock a']);
    expect(codes({ id: 'a', after: ['b'], status: 'done' }, { id: 'b', after: ['a'], status: 'failed' })).toEqual([]);
    for (const max_iterations of [0, -1, undefined, 'lots']) {
      const cycle_config = { max_iterations } as unknown as CycleConfig;
      expect(codes({ id: 'a', after: ['b'], cycle_config }, { id: 'b', after: ['a'] }), String(max_iterations)).toEqual(
        ['error unbounded a'],
      );
    }
    const inner = codes(
      { id: 'a', after: ['d'], cycle_config: { max_iterations: 2 } },
      { id: 'b', after: ['a', 'c'] },
      { id: 'c', after: ['b'] },
      { id: 'd', after: ['c'] },
    );
    expect(inner).toEqual(['error deadlock b']);
    const { ok, errors } = checkGraph(graphOf({ id: 'a', after: ['a'] }), []);
    expect([ok, errors]).toEqual([false, 1]);
  },
);

verifies('graph.show.check', 'warnings: what may be meant otherwise, each with what helps', () => {
  const graph = graphOf(
    { id: 'review', title: 'Review' },
    { id: 'ship', after: ['reveiw'], before: ['review', 'nobody'] },
    { id: 'held', assigned: 'agent-3' },
    { id: 'hopes', after: ['lost', 'dropped'], after_success: ['lost', 'dropped'] },
    { id: 'lost', status: 'failed' },
    { id: 'dropped', status: 'abandoned' },
    { id: 'legacy', loops_to: [{ target: 'review', max_iterations: 4 }] },
    { id: 'x', after: ['y'], cycle_config: { max_iterations: 1 } },
    { id: 'y', after: ['x'], cycle_config: { max_iterations: 2 } },
  );
  const { ok, errors, warnings, problems } = checkGraph(graph, []);
  expect([ok, errors, warnings]).toEqual([true, 0, 7]);
  const of = (code: string) => problems.filter((problem) => problem.code === code);
  expect(of('dangling')).toEqual([
    {
      code: 'dangling',
      severity: 'warning',
      task_id: 'ship',
      ids: ['reveiw'],
      hint: 'There is no reveiw, so it blocks nothing; if you meant review: `troupe edit ship --remove-after reveiw --add-after review`.',
    },
  ]);
  expect(of('before_drift')).toMatchObject([{ task_id: 'ship', ids: ['review', 'nobody'] }]);
  expect(of('before_drift')[0]?.hint).toContain('`troupe edit review --add-after ship`');
  expect(of('stale_assigned')).toMatchObject([{ task_id: 'held', ids: ['agent-3'] }]);
  expect(of('dead_success_edge').map((problem) => problem.hint)).toEqual([
    expect.stringContaining('`troupe retry lost`'),
    expect.stringContaining('`troupe edit hopes --remove-after dropped`'),
  ]);
  expect(of('loops_to')[0]?.hint).toContain('`troupe edit review --add-after legacy --max-iterations 4`');
  expect(of('many_configs')).toMatchObject([{ task_id: 'x', ids: ['x', 'y'] }]);
});

test('what a finished task came after may be put away', () => {
  const graph = graphOf({ id: 'old' }, { id: 'a', status: 'done', after: ['old'] }, { id: 'b', after: ['old'] });
  graph.apply({ seq: 2, id: 'e', timestamp: '', op: 'archive', patch: [{ id: 'old', del: true }] });
  expect(checkGraph(graph, []).problems.map((problem) => problem.task_id)).toEqual(['b']);
});

verifies('graph.show.check', 'what the reading of the files found comes along; a bad line is an error', () => {
  const found = fromReading([
    { severity: 'warning', code: 'duplicate_id', text: 'the id a appears again', file: 'graph.jsonl', line: 3 },
    { severity: 'error', code: 'corrupt', text: 'not a JSON object', file: 'graph.jsonl', line: 2 },
  ]);
  expect(checkGraph(graphOf({ id: 'a' }), found)).toMatchObject({
    ok: false,
    errors: 1,
    warnings: 1,
    problems: [
      { code: 'corrupt', severity: 'error', task_id: null, hint: 'graph.jsonl:2: not a JSON object' },
      { code: 'duplicate_id', severity: 'warning' },
    ],
  });
});

verifies('graph.show.check', 'a merge that dropped a value warns until somebody touches the task', () => {
  const graph = graphOf({ id: 'a', rev: 5 }, { id: 'b', rev: 9 });
  const entry = (op: string): Entry => ({
    seq: 5,
    id: 'm',
    timestamp: '',
    op,
    patch: [],
    detail: {
      lost: [
        { id: 'a', field: 'title', side: 'ours', value: 'L' },
        { id: 'a', field: 'status', side: 'ours', value: 'open' },
        { id: 'b', field: 'title', side: 'ours', value: 'M' },
        { id: 'gone', field: 'title', side: 'ours', value: 'N' },
        'nonsense',
      ],
    },
  });
  expect(checkMerge(graph, entry('merge'))).toMatchObject([{ code: 'merge', task_id: 'a', ids: ['status', 'title'] }]);
  expect(checkMerge(graph, entry('edit'))).toEqual([]);
});

verifies('graph.show.structure', 'where it begins, where it ends, and which beginnings matter', () => {
  const graph = graphOf(
    { id: 'a', after: ['nobody'] },
    { id: 'b', after: ['a'] },
    { id: 'c', after: ['b'] },
    { id: 'broken', status: 'failed', after: ['a'] },
    { id: 'alone' },
    { id: 'turn', after: ['back'], cycle_config: { max_iterations: 2 } },
    { id: 'back', after: ['turn'] },
    { id: 'stuck', after: ['stuck-too'] },
    { id: 'stuck-too', after: ['stuck'] },
  );
  expect(structureOf(graph)).toEqual({
    entry_points: ['a', 'alone', 'turn'],
    dead_ends: [
      { id: 'alone', status: 'open', expected: false, warning: 'it is isolated: no dependencies or dependents' },
      { id: 'broken', status: 'failed', expected: false, warning: expect.stringContaining('failed') },
      { id: 'c', status: 'open', expected: true, warning: null },
    ],
    high_impact_roots: [
      { id: 'a', transitive_dependents: 3 },
      { id: 'turn', transitive_dependents: 1 },
    ],
  });
  expect(structureOf(graphOf())).toEqual({ entry_points: [], dead_ends: [], high_impact_roots: [] });
});

verifies('graph.show.cycles', 'each cycle with where it stands, what becomes of it, and its back edges', () => {
  const graph = graphOf(
    { id: 'write', after: ['revise'], loop_iteration: 1, cycle_config: { max_iterations: 5 } },
    { id: 'review', after: ['write'], status: 'done' },
    { id: 'revise', after: ['review'], status: 'in-progress' },
    { id: 'p', after: ['q', 'outside'] },
    { id: 'q', after: ['p', 'outside'] },
    { id: 'outside' },
  );
  const found = cycleReport(graph);
  expect(found.cycle_count).toBe(2);
  expect(found.cycles).toEqual([
    {
      header: 'p',
      members: ['p', 'q'],
      member_count: 2,
      reducible: false,
      member_statuses: { p: 'open', q: 'open' },
      iteration: 0,
      max_iterations: null,
      last_decision: 'wait: it has no cycle_config: none of its tasks can ever start',
    },
    {
      header: 'write',
      members: ['review', 'revise', 'write'],
      member_count: 3,
      reducible: true,
      member_statuses: { review: 'done', revise: 'in-progress', write: 'open' },
      iteration: 1,
      max_iterations: 5,
      last_decision: 'wait: not every member is finished',
    },
  ]);
  expect(found.back_edges).toEqual([
    { from: 'q', to: 'p' },
    { from: 'revise', to: 'write' },
  ]);
});
