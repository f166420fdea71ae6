import { expect } from 'vitest';
import type { GraphState } from '#core/graph/state.js';
import { departedOf, forArchive, forRemoval, lastBatch, removeTasks, restoreTasks } from '#core/history/departures.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';
import { commit, graphOf, NOW } from '../graph/graph.js';

const ids = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id);
const ago = (days: number) => new Date(NOW - days * 86_400_000).toISOString();
const DAY_AGO = NOW - 86_400_000;

const coded = (code: string, what?: RegExp) =>
  expect.objectContaining({ code, ...(what ? { message: expect.stringMatching(what) } : {}) });

verifies('graph.archive.move', 'done and abandoned tasks go, unless something active comes after them', () => {
  const view = graphOf(
    { id: 'a', status: 'done' },
    { id: 'b', status: 'done', after: ['a'] },
    { id: 'c', after: ['b'] },
    { id: 'd', status: 'abandoned' },
    { id: 'e', status: 'failed' },
    { id: 'f', status: 'in-progress' },
    { id: 'g', status: 'done' },
    { id: 'h', status: 'waiting', after: ['g'] },
  );
  expect(ids(forArchive(view, {}))).toEqual(['a', 'd']);
  expect(() => forArchive(view, { ids: ['b'] })).toThrow(coded('still_needed', /c still depends on it/));
  expect(() => forArchive(view, { ids: ['e'] })).toThrow(coded('wrong_status', /it is failed/));
  expect(() => forArchive(view, { ids: ['zz'] })).toThrow(coded('unknown_task'));
  expect(ids(forArchive(view, { ids: ['d'] }))).toEqual(['d']);
});

verifies('graph.archive.move', 'by age: what ended lately stays, what says nothing about its end goes', () => {
  const view = graphOf(
    { id: 'old', status: 'done', completed_at: ago(30) },
    { id: 'new', status: 'done', completed_at: ago(0.1) },
    { id: 'silent', status: 'done' },
  );
  expect(ids(forArchive(view, { endedBefore: DAY_AGO }))).toEqual(['old', 'silent']);
  expect(() => forArchive(view, { ids: ['new'], endedBefore: DAY_AGO })).toThrow(coded('still_needed', /too recently/));
});

verifies(['graph.archive.move', 'graph.gc.remove'], 'a cycle leaves whole or not at all', () => {
  const cycle = (third: 'done' | 'failed' | 'open', paused = false): GraphState =>
    graphOf(
      { id: 'a', status: 'done', after: ['c'], cycle_config: { max_iterations: 3 } },
      { id: 'b', status: 'done', after: ['a'], ...(paused ? { paused } : {}) },
      { id: 'c', status: third, after: ['b'] },
      { id: 'out', status: 'done', after: ['a'] },
    );
  expect(ids(forArchive(cycle('done'), {}))).toEqual(['a', 'b', 'c', 'out']);
  expect(ids(forArchive(cycle('done'), { ids: ['b'] }))).toEqual(['a', 'b', 'c']);
  expect(ids(forArchive(cycle('failed'), {}))).toEqual(['out']);
  expect(ids(forArchive(cycle('done', true), {}))).toEqual(['out']);
  expect(() => forArchive(cycle('failed'), { ids: ['b'] })).toThrow(coded('still_needed', /cycle with c/));
  expect(ids(forRemoval(cycle('failed'), { includeDone: false }))).toEqual([]);
  expect(ids(forRemoval(cycle('failed'), { includeDone: true }))).toEqual(['a', 'b', 'c', 'out']);
  expect(ids(forRemoval(cycle('open'), { includeDone: true }))).toEqual(['out']);
});

verifies(['graph.archive.move', 'graph.gc.remove'], 'guards of live cycles and waits count on a task too', () => {
  const view = graphOf(
    { id: 'judge', status: 'done' },
    { id: 'awaited', status: 'abandoned' },
    {
      id: 'a',
      after: ['b'],
      cycle_config: { max_iterations: 3, guard: { TaskStatus: { task: 'judge', status: 'done' } } },
    },
    { id: 'b', after: ['a'] },
    {
      id: 'parked',
      status: 'waiting',
      wait_condition: {
        mode: 'all',
        since: ago(1),
        conditions: [{ type: 'task-status', task_id: 'awaited', status: 'done' }],
      },
    },
  );
  expect(ids(forArchive(view, {}))).toEqual([]);
  expect(() => forArchive(view, { ids: ['judge'] })).toThrow(coded('still_needed', /a still depends/));
  expect(() => forArchive(view, { ids: ['awaited'] })).toThrow(coded('still_needed', /parked/));
});

verifies('graph.gc.remove', 'ended without success, done ones only when asked, and the meta-tasks about them', () => {
  const view = graphOf(
    { id: 'bad', status: 'failed' },
    { id: 'assign-bad', status: 'done' },
    { id: 'evaluate-bad', status: 'done', after: ['bad'] },
    { id: '.verify-flip-bad', status: 'done', after: ['bad'] },
    { id: 'good', status: 'done' },
    { id: 'needed', status: 'failed' },
    { id: 'later', after: ['needed'] },
    { id: 'dropped', status: 'abandoned' },
  );
  expect(ids(forRemoval(view, { includeDone: false }))).toEqual([
    '.verify-flip-bad',
    'assign-bad',
    'bad',
    'dropped',
    'evaluate-bad',
  ]);
  expect(ids(forRemoval(view, { includeDone: true }))).toContain('good');
  expect(ids(forRemoval(view, { includeDone: true }))).not.toContain('needed');
  expect(() => forRemoval(view, { includeDone: false, ids: ['good'] })).toThrow(coded('wrong_status'));
});

verifies(
  ['graph.archive.move', 'graph.gc.remove'],
  'the events keep the nodes whole, and bring them back as they were',
  () => {
    const strange = { colour: { shade: 'blue' }, log: [{ timestamp: ago(2), message: 'hello' }] };
    const view = graphOf(
      { id: 'a', status: 'done', fence: 3, tags: ['x'], ...strange },
      { id: 'b', status: 'failed', retry_count: 2, artifacts: ['x'] },
    );
    const before = view.task('a');
    const plan = removeTasks(forArchive(view, {}), 'archive', 'ann');
    expect(plan.events).toMatchObject([{ op: 'archive', task_id: 'a', actor: 'ann' }]);
    commit(view, plan);
    commit(view, removeTasks(forRemoval(view, { includeDone: false }), 'gc', 'ann'));
    expect(view.size).toBe(0);
    expect(ids(lastBatch(view, 'archive'))).toEqual(['a']);
    expect(departedOf(view, 'b')).toMatchObject({ to: 'gc', last: 'failed' });
    expect(() => departedOf(view, 'nobody')).toThrow(coded('unknown_task'));
    const kept = plan.events.flatMap((event) => event.patch).map((patch) => ('del' in patch ? patch.kept : undefined));
    expect(kept).toEqual([before]);
    if (!before) return;
    const back = { ...before, rev: view.departed('a')?.seq ?? 0 };
    commit(view, restoreTasks(view, [back], { now: NOW, by: 'ann', reopen: false }));
    const { log, rev: _rev, ...rest } = view.task('a') ?? {};
    const { log: _log, rev: _old, ...fields } = before;
    expect(rest).toEqual(fields);
    expect(log?.map((entry) => entry.message)).toEqual(['hello', 'Brought back from the archive']);
    expect(view.departed('a')).toBeUndefined();
    expect(() => departedOf(view, 'a')).toThrow(coded('wrong_status'));
  },
);

verifies(
  'graph.archive.move',
  'opened again, a task has no marks of its last try, and stale content does not come back',
  () => {
    const view = graphOf({
      id: 'a',
      status: 'abandoned',
      assigned: 'x',
      artifacts: ['f'],
      retry_count: 4,
      failure_reason: 'no',
      tags: ['converged', 'k'],
      fence: 2,
    });
    const [task] = forArchive(view, {});
    commit(view, removeTasks(forArchive(view, {}), 'archive', 'ann'));
    if (!task) throw new Error('nothing was taken');
    expect(() => restoreTasks(view, [task], { now: NOW, by: 'ann', reopen: true })).toThrow(coded('wrong_status'));
    const kept = { ...task, rev: view.departed('a')?.seq ?? 0 };
    commit(view, restoreTasks(view, [kept], { now: NOW, by: 'ann', reopen: true }));
    const { kind, id, title, rev: _rev, log: _log, ...rest } = view.task('a') ?? {};
    expect([kind, id, title, rest]).toEqual(['task', 'a', 'a', { status: 'open', tags: ['k'], fence: 2 }]);
  },
);

verifies(
  'graph.archive.move',
  'many tasks are several events of a bounded size, one batch, and the batch comes back',
  () => {
    const big = 'x'.repeat(WORK_LIMITS.eventBytes / 4);
    const view = graphOf(
      ...Array.from({ length: 9 }, (_, index) => ({ id: `t${index}`, status: 'done' as const, description: big })),
    );
    const plan = removeTasks(forArchive(view, {}), 'archive', 'ann');
    expect(plan.events.length).toBe(3);
    for (const event of plan.events) expect(JSON.stringify(event).length).toBeLessThan(WORK_LIMITS.lineBytes);
    commit(view, plan);
    expect(ids(lastBatch(view, 'archive'))).toHaveLength(9);
    expect(new Set(lastBatch(view, 'archive').map(({ batch }) => batch)).size).toBe(1);
    expect(lastBatch(view, 'gc')).toEqual([]);
  },
);
