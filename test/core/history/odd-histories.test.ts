import path from 'node:path';
import { expect, test } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import type { Task } from '#core/graph/task.js';
import { forArchive, forRemoval } from '#core/history/departures.js';
import { exportTrace } from '#core/history/export-trace.js';
import { bestScores, EXECUTION_FIELDS, pickForReplay, withoutExecution } from '#core/history/replay.js';
import { frameLayers } from '#core/history/replay-frames.js';
import { keysIn, press, startPlayer } from '#core/history/replay-player.js';
import { actorKind, humanInterventions, runsOfTask, treeOf } from '#core/history/task-history.js';
import { WATCH_TYPES } from '#core/history/watch-event.js';
import { codeOf, graphOf, NOW } from '../graph/graph.js';

const golden = (name: string) => path.join(import.meta.dirname, 'golden', `${name}.txt`);
const at = (minute: number) => new Date(NOW + minute * 60_000).toISOString();

test('layers of pictures with cycles, edges out of them, and tasks that stand there twice', () => {
  const layers = (tasks: Readonly<Record<string, readonly string[]>>) =>
    Object.fromEntries(frameLayers(Object.entries(tasks).map(([id, after]) => ({ id, after }))));
  expect(layers({ a: [], b: ['a'], c: ['b', 'a'], d: ['gone', 'd'] })).toEqual({ a: 0, b: 1, c: 2, d: 0 });
  expect(layers({ x: ['z'], y: ['x'], z: ['y'], end: ['z'] })).toEqual({ x: 0, y: 1, z: 2, end: 3 });
  expect(layers({ p: ['q'], q: ['p'], r: ['s'], s: ['r', 'q'], t: ['s', 's'] })).toEqual({
    p: 0,
    q: 1,
    r: 0,
    s: 2,
    t: 3,
  });
  expect([...frameLayers([])]).toEqual([]);
  expect([...frameLayers([{ id: 'only' }])]).toEqual([['only', 0]]);
});

const entry = (op: string, more: Partial<Entry> = {}): Entry => ({
  ...{ seq: 1, id: 'e', op, timestamp: at(0), patch: [] },
  ...more,
});

test('runs of a task, who stood behind entries, and what a person did', () => {
  const of = (op: string, detail: object, more: Partial<Entry> = {}) =>
    entry(op, { task_id: 'a', detail: detail as never, ...more });
  const log = [
    of('spawn_agent', { run: 'agent-1', executor: 'claude' }),
    of('spawn_agent', {}, { actor: 'agent-2', timestamp: at(1) }),
    of(
      'agent_complete',
      { run: 'agent-1', outcome: 'done', usage: { input_tokens: 3, cost_usd: 'x', n: null } },
      { timestamp: at(5) },
    ),
    of('agent_complete', { run: 'agent-2', executor: 'codex', outcome: 7, usage: [] }, { timestamp: at(6) }),
    of('agent_complete', { run: 'agent-9' }),
    of('spawn_agent', {}),
    { ...of('spawn_agent', { run: 'agent-3' }), task_id: 'b' },
  ];
  expect(runsOfTask(log, 'a')).toEqual([
    {
      run: 'agent-1',
      timestamp: at(0),
      executor: 'claude',
      ended_at: at(5),
      outcome: 'done',
      usage: { input_tokens: 3 },
    },
    { run: 'agent-2', timestamp: at(1), executor: 'codex', ended_at: at(6) },
  ]);
  const people = ['add_task', 'model_call', 'model_settled', 'edit', 'claim'].map((op) => entry(op, { actor: 'ann' }));
  const others = ['agent-7', 'coordinator', 'service', 'troupe', undefined].map((actor) =>
    entry('edit', actor === undefined ? {} : { actor }),
  );
  expect(humanInterventions([...people, ...others, entry('hand_edit')])).toBe(3);
  expect([...others, entry('hand_edit')].map(actorKind)).toEqual([
    'agent',
    'system',
    'system',
    'system',
    'system',
    'human',
  ]);
});

test('what grew of a task is told once, the nearest way first', () => {
  const view = graphOf(
    { id: 'root', after: ['root', 'end'] },
    { id: 'b', after: ['root'], parent: 'root' },
    { id: 'a', parent: 'root', created_by: 'agent-1' },
    { id: 'end', after: ['b', 'a'] },
    { id: 'made', created_by: 'agent-1' },
    { id: 'own', created_by: 'agent-2', parent: 'own' },
  );
  const tree = treeOf(
    view,
    view.task('root') as Task,
    new Map([
      ['agent-1', 'root'],
      ['agent-2', 'own'],
    ]),
  );
  expect(tree.map(({ task, depth, above, link }) => [task.id, depth, above, link])).toEqual([
    ['root', 0, undefined, undefined],
    ['a', 1, 'root', 'parent'],
    ['end', 2, 'a', 'after'],
    ['b', 1, 'root', 'after'],
    ['made', 1, 'root', 'created'],
  ]);
});

test('what is picked to be done again by scores up to their bounds, and what of its last try goes', () => {
  const view = graphOf(
    { id: 'a', status: 'done' },
    { id: 'b', status: 'failed' },
    { id: 'c', status: 'done', after: ['a'] },
    { id: 'd' },
  );
  const scores = bestScores([
    { task_id: 'a', score: 0.5 },
    { task_id: 'a', score: 0.7 },
    { task_id: 'a', score: 1.1 },
    { task_id: 'c', score: 0 },
    { score: 1 },
    { task_id: 'b', score: '1' },
  ]);
  expect([...scores]).toEqual([
    ['a', 0.7],
    ['c', 0],
  ]);
  const reset = (filter: object) => pickForReplay(view, { keep_done: 1, ...filter }, scores).reset;
  expect([
    reset({}),
    reset({ keep_done: 0.7 }),
    reset({ below_score: 0.7 }),
    reset({ below_score: 1 }),
    reset({ below_score: 0 }),
  ]).toEqual([['a', 'b', 'c'], ['b', 'c'], ['c'], ['a', 'c'], []]);
  expect([reset({ keep_done: 0 }), reset({ failed_only: true }), reset({ failed_only: false, tasks: ['d'] })]).toEqual([
    ['b'],
    ['b'],
    ['d'],
  ]);
  for (const wrong of [{ below_score: -0.1 }, { below_score: 1.1 }, { keep_done: 1.1 }, { keep_done: Number.NaN }])
    expect(
      codeOf(() => reset(wrong)),
      JSON.stringify(wrong),
    ).toBe('bad_input');
  expect(codeOf(() => reset({ failed_only: true, below_score: 0.5 }))).toBe('usage');
  const tried = Object.fromEntries(EXECUTION_FIELDS.map((field) => [field, 1]));
  const fresh = { kind: 'task', id: 'x', title: 'X', fence: 3, tags: ['t'] };
  expect(EXECUTION_FIELDS).toHaveLength(24);
  expect(withoutExecution({ ...tried, ...fresh, status: 'failed', tags: ['t', 'converged'] } as never)).toEqual({
    ...fresh,
    status: 'open',
  });
});

test('who still counts on a task keeps it, and the first five of them are named', () => {
  const users = Array.from({ length: 7 }, (_, number) => ({ id: `u${number}`, after: ['a'] }));
  const view = graphOf(
    { id: 'a', status: 'done' },
    ...users,
    { id: 'b', status: 'abandoned' },
    { id: 'c', status: 'failed' },
  );
  const refused = (ids: string[]) => {
    try {
      return forArchive(view, { ids }).map(({ id }) => id);
    } catch (error) {
      return error instanceof Error ? error.message : '';
    }
  };
  expect(refused(['a'])).toBe('a cannot be archived: u0, u1, u2, u3, u4 and 2 more still depend on it.');
  expect(refused(['b'])).toEqual(['b']);
  expect(refused(['c'])).toContain('it is failed');
  expect([false, true].map((includeDone) => forRemoval(view, { includeDone }).map(({ id }) => id))).toEqual([
    ['b', 'c'],
    ['b', 'c'],
  ]);
});

test('keys of a terminal, and a player at its ends', () => {
  expect(keysIn('q\u001b[C?\u001b[Zx\u0003')).toEqual(expect.arrayContaining(['quit', 'quit']));
  expect([startPlayer(0, 1).playing, startPlayer(1, 1).playing, startPlayer(2, 1).playing]).toEqual([
    false,
    false,
    true,
  ]);
  const paused = press(startPlayer(3, 1), 'pause');
  expect(press(paused, 'pause')).toEqual({ ...paused, playing: true });
  const last = press(paused, 'last');
  expect([press(last, 'pause'), press(last, 'forward'), press(paused, 'back')]).toEqual([
    { ...paused, at: 0, playing: true },
    { ...paused, at: 2 },
    { ...paused, at: 0 },
  ]);
  expect([...WATCH_TYPES]).toEqual([...WATCH_TYPES].sort());
});

test('an export for others hides tasks that stay at home, and tells of no entry twice', async () => {
  const view = graphOf(
    {
      id: 'open-1',
      visibility: 'public',
      description: 'After home-1, home-1.md and abc-, not abc. See a-b.',
      after: ['home-1', 'open-2'],
    },
    { id: 'open-2', visibility: 'public' },
    ...['home-1', 'a-bc', 'a-b', 'plain'].map((id) => ({ id })),
  );
  const entries = [
    entry('add_task', { task_id: 'open-1' }),
    entry('edit', { task_id: 'open-1', actor: 'ann' }),
    entry('done', { task_id: 'home-1' }),
    entry('odd op', { task_id: 'open-1' }),
    entry('done', { task_id: 'open-2', timestamp: 'never' }),
    entry('runs', { patch: [{ id: 'open-2', set: {} }] }),
  ];
  const facts = {
    view,
    entries,
    evaluations: [{ task_id: 'open-1', score: 1 }, { task_id: 'home-1', score: 0 }, { score: 1 }],
    functions: [],
  };
  const out = (zone: 'public' | 'peer' | 'internal', root?: string) => {
    const { tasks, operations, evaluations } = exportTrace({
      ...facts,
      zone,
      exportedAt: at(0),
      source: 's',
      root: root === undefined ? undefined : view.task(root),
    });
    return {
      tasks: tasks.map((task) => JSON.parse(JSON.stringify(task))),
      operations: operations.map((one) => [one['op'], one['actor']]),
      evaluations,
    };
  };
  const told = [out('public'), out('peer'), out('internal', 'open-2'), out('internal')];
  await expect(`${JSON.stringify(told, undefined, 1)}\n`).toMatchFileSnapshot(golden('exports'));
});
