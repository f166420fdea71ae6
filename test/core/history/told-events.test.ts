import { expect, test } from 'vitest';
import type { Entry, Patch } from '#core/graph/event.js';
import type { GraphNode } from '#core/graph/task.js';
import { changesSince, restoreRun } from '#core/history/archived-runs.js';
import { departedOf, forArchive } from '#core/history/departures.js';
import { importTrace } from '#core/history/import-trace.js';
import { LogHistory } from '#core/history/log-history.js';
import { mergeEvents, mergeHeads } from '#core/history/merge-heads.js';
import { replayTasks } from '#core/history/replay.js';
import { watchEvent, watchTypePrefix } from '#core/history/watch-event.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { graphOf, NOW } from '../graph/graph.js';
import { Branch } from './branches.js';

const AT = '2026-03-21T10:00:00.000Z';
const entry = (op: string, patch: readonly Patch[], more: Partial<Entry> = {}): Entry => ({
  ...{ seq: 1, id: 'e', op, timestamp: AT, patch: [...patch] },
  ...more,
});
const node = (id: string, more: object = {}) => ({ kind: 'task', id, title: id, status: 'open', ...more }) as GraphNode;
const messageOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
};

test('what watchers are told of each kind of change', () => {
  const told = (op: string, patch: readonly Patch[], more: Partial<Entry> = {}) => {
    const { type, task_id, data } = watchEvent(entry(op, patch, more));
    return [type, task_id, data];
  };
  const many = Array.from({ length: TEAM_LIMITS.watchIds + 2 }, (_, at): Patch => ({ id: `t${at}`, set: {} }));
  expect([
    told('edit', [{ id: 'a', set: { title: 'B', after: [] }, unset: ['verify'] }], { actor: 'ann' }),
    told('edit', [{ id: 'a', unset: ['verify', 'tags'] }]),
    told('log', [{ id: 'a', log_at: 0, log: [{ timestamp: AT, message: 'm' }] }], { detail: { request: 'r', x: 1 } }),
    told('wait', [{ id: 'a', set: { status: 'waiting' } }]),
    told('wait', [{ id: 'a', set: { checkpoint: 'c' } }]),
    told('gc', [{ id: 'a', del: true }]),
    told('add_task', [{ id: 'a', put: node('a', { after: ['b'] }) }]),
    told('add_resource', [{ id: 'gpu', put: { kind: 'resource', id: 'gpu' } as never }]),
    told('tick', []),
    told('claim', [], { task_id: 'a' }),
    told('edit', [
      { id: 'a', set: {} },
      { id: 'a', set: {} },
      { id: 'b', set: {} },
    ]),
  ]).toEqual([
    ['task.changed', 'a', { op: 'edit', actor: 'ann', fields: ['after', 'title', 'verify'] }],
    ['task.changed', 'a', { op: 'edit', fields: ['tags', 'verify'] }],
    ['task.changed', 'a', { op: 'log', message: 'm', x: 1 }],
    ['task.waiting', 'a', { op: 'wait', status: 'waiting' }],
    ['task.changed', 'a', { op: 'wait', fields: ['checkpoint'] }],
    ['task.changed', 'a', { op: 'gc', removed: true }],
    ['task.created', 'a', { op: 'add_task', title: 'a', status: 'open', after: ['b'] }],
    ['graph.changed', undefined, { op: 'add_resource', tasks: ['gpu'], task_count: 1 }],
    ['graph.changed', undefined, { op: 'tick' }],
    ['task.started', 'a', { op: 'claim' }],
    ['graph.changed', undefined, { op: 'edit', tasks: ['a', 'b'], task_count: 2 }],
  ]);
  expect(watchEvent(entry('edit', many)).data).toMatchObject({
    tasks: { length: TEAM_LIMITS.watchIds },
    task_count: many.length,
  });
  expect(['all', 'agent', 'task.changed', 'graph.changed', 'toString', 'odd'].map(watchTypePrefix)).toEqual([
    ...['', 'agent.', 'task.changed', 'graph.changed', undefined, undefined],
  ]);
});

test('a graph that is restored says what came back and what went, by id', () => {
  const view = graphOf({ id: 'z' }, { id: 'same', rev: 3, fence: 2 }, { id: 'm', fence: 4, log: [] }, { id: 'b' });
  const then = [
    node('same', { rev: 9 }),
    node('new', { status: 'in-progress', assigned: 'agent-1', started_at: AT }),
    node('m', { status: 'in-progress', assigned: 'ann', fence: 1, log: [{ timestamp: AT, message: 'old' }] }),
    { kind: 'resource', id: 'gpu', rev: 2 } as unknown as GraphNode,
  ];
  const { events, result } = restoreRun(view, then, { now: NOW, by: 'ann', run: 'run-1' });
  const log = (...messages: object[]) => [...messages, { timestamp: AT, actor: 'ann', message: 'Restored to run-1' }];
  expect(result).toEqual({ restored: ['gpu', 'm', 'new'], removed: ['b', 'z'] });
  expect(events.flatMap(({ patch }) => patch)).toEqual([
    { id: 'new', put: { kind: 'task', id: 'new', title: 'new', status: 'open', log: log() } },
    {
      id: 'm',
      put: {
        ...{ kind: 'task', id: 'm', title: 'm', status: 'in-progress', assigned: 'ann', fence: 4 },
        log: log({ timestamp: AT, message: 'old' }),
      },
    },
    { id: 'gpu', put: { kind: 'resource', id: 'gpu' } },
    { id: 'b', del: true },
    { id: 'z', del: true },
  ]);
  expect(changesSince(then, view).map(({ id, change }) => `${id} ${change}`)).toEqual([
    ...['b added', 'm status_changed', 'new removed', 'z added'],
  ]);
});

test('a cycle leaves whole or stays, and keeps what its guard looks at as long as it goes round', () => {
  const cycle = (status: 'open' | 'done', more: object = {}) => {
    const guard = { TaskStatus: { task: 'watched', status: 'done' as const } };
    const view = graphOf(
      { id: 'watched', status: 'done' },
      { id: 'head', status: 'done', after: ['tail'], cycle_config: { max_iterations: 2, guard } },
      { id: 'tail', status, after: ['head'], ...more },
    );
    return messageOf(() => forArchive(view, {}).map(({ id }) => id));
  };
  expect([cycle('done'), cycle('open'), cycle('done', { paused: true })]).toEqual([
    ['head', 'tail', 'watched'],
    [],
    [],
  ]);
  const view = graphOf({ id: 'here' });
  expect(messageOf(() => departedOf(view, 'here'))).toContain('here is in the graph');
  expect(messageOf(() => departedOf(view, 'x'.repeat(200)))).toContain(`"${'x'.repeat(120)}"`);
});

test('what never began is not opened again; of the others only what their last try left goes', () => {
  const view = graphOf(
    { id: 'fresh', tags: ['t'] },
    { id: 'tried', checkpoint: 'c' },
    { id: 'over', status: 'done', tags: ['converged'], log: [{ timestamp: AT, message: 'm' }] },
  );
  const { events } = replayTasks(
    view,
    { reset: ['fresh', 'tried', 'over'], preserved: [] },
    { now: NOW, by: 'ann', run: 'r1' },
  );
  const log = [{ timestamp: AT, actor: 'ann', message: 'Opened again by r1' }];
  expect(events.map(({ patch }) => patch[0])).toEqual([
    { id: 'tried', set: {}, unset: ['checkpoint'], log_at: 0, log },
    { id: 'over', set: { status: 'open' }, unset: ['tags'], log_at: 1, log },
  ]);
});

test('a merge names what was resolved, renamed and kept, as many as one reads', () => {
  const add = (id: string) => ({ op: 'add_task', task_id: id, patch: [{ id, put: node(id) as never }] });
  const root = new Branch().append([add('a')], 0);
  const apart = root
    .fork()
    .append([add('b')], 1)
    .union(root.fork().append([add('c')], 2));
  const found = mergeHeads(new LogHistory(apart.entries));
  const resolved = Array.from({ length: WORK_LIMITS.mergeNamed + 1 }, (_, at) => `t${at}`);
  const details = [[], ['a'], resolved].map((ids) => found && mergeEvents(found, ids)[0]?.detail?.['resolved']);
  expect(details).toEqual([undefined, ['a'], resolved.slice(0, -1)]);
  const renamed = new Map(resolved.map((id) => [id, `${id}-2`]));
  const merged = found && { ...found, merged: { ...found.merged, renamed, revived: resolved } };
  const detail = merged && mergeEvents(merged, [])[0]?.detail;
  expect(detail?.['kept']).toEqual(resolved.slice(0, -1));
  expect(Object.keys(detail?.['renamed'] ?? {})).toEqual(resolved.slice(0, -1));
  expect(Object.keys((found && mergeEvents(found, [])[0]?.detail) ?? {})).toEqual(['heads']);
});

test('an import renames every reference, and says which id stands there twice', () => {
  const trace = (...tasks: object[]) => JSON.stringify({ metadata: { version: 1 }, tasks });
  const said = (content: string) => messageOf(() => importTrace(content, 'tag').tasks);
  const task = (id: string, more: object = {}) => ({ id, title: id, status: 'done', ...more });
  expect(said(trace(task('a'), task('b', { after: ['a', 'gone'], after_success: ['a'] })))).toMatchObject([
    { id: 'imported/tag/a' },
    { id: 'imported/tag/b', after: ['imported/tag/a'], after_success: ['imported/tag/a'] },
  ]);
  const long = 'y'.repeat(70);
  expect(said(trace(task(long), task(long)))).toContain(`"${'y'.repeat(60)}" appears twice`);
});
