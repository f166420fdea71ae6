import { expect } from 'vitest';
import type { Task } from '#core/graph/task.js';
import { changesSince, refuseLiveRuns, restoreRun } from '#core/history/archived-runs.js';
import {
  bestScores,
  pickForReplay,
  type ReplayFilter,
  refuseAtWork,
  replayTasks,
  withoutExecution,
} from '#core/history/replay.js';
import type { TroupeError } from '#kernel/errors.js';
import { verifies } from '../../verifies.js';
import { commit, graphOf, NOW } from '../graph/graph.js';

const NOBODY: ReadonlyMap<string, number> = new Map();
const coded = (code: string) => expect.objectContaining({ code });
const options = { now: NOW, by: 'ann', run: 'run-001' };

/** a → b → c; d → e; r1 ⇄ r2 after d; lone. */
const sample = () =>
  graphOf(
    { id: 'a', status: 'done' },
    { id: 'b', status: 'failed', after: ['a'] },
    { id: 'c', after: ['b'] },
    { id: 'd', status: 'done' },
    { id: 'e', status: 'abandoned', after: ['d'] },
    { id: 'r1', status: 'done', after: ['d', 'r2'], cycle_config: { max_iterations: 2 } },
    { id: 'r2', status: 'done', after: ['r1'] },
    { id: 'lone', status: 'done' },
  );

const pick = (filter: Partial<ReplayFilter>, scores = NOBODY) =>
  pickForReplay(sample(), { keep_done: 0.9, ...filter }, scores).reset;

verifies('graph.replay.pick', 'by name, by failure, by score, or all that ended; with all that comes after', () => {
  expect(pick({ tasks: ['b'] })).toEqual(['b', 'c']);
  expect(pick({ tasks: ['c'] })).toEqual(['c']);
  expect(pick({ failed_only: true })).toEqual(['b', 'c', 'e']);
  expect(pick({})).toEqual(['a', 'b', 'c', 'd', 'e', 'lone', 'r1', 'r2']);
  const scores = new Map([
    ['a', 0.5],
    ['d', 0.7],
    ['lone', 0.6],
    ['r1', 0.8],
    ['r2', 0.8],
    ['b', 0.8],
    ['e', 0.8],
  ]);
  expect(pick({ below_score: 0.6 }, scores)).toEqual(['a', 'b', 'c']);
  scores.delete('lone');
  expect(pick({ below_score: 0.1 }, scores)).toEqual([]);
  expect(pick({ below_score: 0.1, unscored: true }, scores)).toEqual(['lone']);
  expect(() => pick({ unscored: true }, scores)).toThrow(coded('usage'));
  expect(pick({ below_score: 0.6 }, scores)).toEqual(['a', 'b', 'c']); // no score is no low score
});

verifies('who.replay', 'by score only scored work is opened again, and nothing that assigned or scored it', () => {
  const graph = graphOf(
    { id: 'assign-low', status: 'done', tags: ['assignment'] },
    { id: 'low', status: 'done', after: ['assign-low'] },
    { id: 'evaluate-low', status: 'done', after: ['low'], tags: ['evaluation'] },
    { id: 'high', status: 'done' },
    { id: 'evaluate-high', status: 'failed', after: ['high'], tags: ['evaluation'] },
    { id: 'unscored', status: 'done', after: ['evaluate-high'] },
    { id: 'next', status: 'done', after: ['low'] },
  );
  const scores = new Map([
    ['low', 0.3],
    ['high', 0.82],
    ['evaluate-high', 0.1],
  ]);
  expect(pickForReplay(graph, { keep_done: 0.9, below_score: 0.5 }, scores).reset).toEqual(['low', 'next']);
});

verifies('graph.replay.pick', 'whole cycles, and only within a subgraph', () => {
  expect(pick({ tasks: ['r2'] })).toEqual(['r1', 'r2']);
  expect(pick({ subgraph: 'd' })).toEqual(['d', 'e', 'r1', 'r2']);
  expect(pick({ subgraph: 'b', failed_only: true })).toEqual(['b', 'c']);
  expect(pick({ subgraph: 'd', tasks: ['a', 'e'] })).toEqual(['e']);
});

verifies('graph.replay.pick', 'what is done and good enough stays, and everything else is said to be preserved', () => {
  const scores = new Map([
    ['a', 0.9],
    ['lone', 0.89],
    ['b', 1],
  ]);
  const picked = pickForReplay(sample(), { keep_done: 0.9 }, scores);
  expect(picked.reset).toEqual(['b', 'c', 'd', 'e', 'lone', 'r1', 'r2']); // b is not done, whatever it scored
  expect(picked.preserved).toEqual(['a']);
  expect(pick({ keep_done: 0.8 }, scores)).not.toContain('lone');
});

verifies('graph.replay.pick', 'what is no task is neither opened again nor preserved', () => {
  const resource = { id: 'db', kind: 'resource', available: 2 } as never;
  const view = graphOf({ id: 'b', status: 'done' }, { id: 'a', status: 'done' }, resource);
  expect(pickForReplay(view, { keep_done: 1 }, NOBODY)).toEqual({ reset: ['a', 'b'], preserved: [] });
  expect(pickForReplay(view, { keep_done: 1, tasks: [] }, NOBODY)).toEqual({ reset: [], preserved: ['a', 'b'] });
});

verifies('graph.replay.pick', 'two ways of choosing, unknown tasks and strange scores are refused', () => {
  expect(() => pick({ tasks: ['a'], failed_only: true })).toThrow(coded('usage'));
  expect(() => pick({ tasks: ['zz'] })).toThrow(coded('unknown_task'));
  expect(() => pick({ subgraph: 'zz' })).toThrow(coded('unknown_task'));
  for (const score of [70, -0.1, Number.NaN]) {
    expect(() => pick({ below_score: score })).toThrow(coded('bad_input'));
    expect(() => pick({ keep_done: score })).toThrow(coded('bad_input'));
  }
  expect(() => pick({ failed_only: true, below_score: 0.5 })).toThrow(coded('usage'));
  expect(pick({ failed_only: false, tasks: ['c'], keep_done: 0 })).toEqual(['c']);
  expect(pick({ below_score: 1, keep_done: 1 })).toEqual([]);
});

verifies('graph.replay.reset', 'open, as if never tried; texts, edges, log, pause and fence stay', () => {
  const kept = {
    description: 'what',
    after: ['z'],
    after_success: ['z'],
    tags: ['k'],
    paused: true,
    fence: 4,
    agent: 'hash',
    max_retries: 3,
    cycle_config: { max_iterations: 2 },
    exec: 'make',
    created_at: '2026-01-01T00:00:00.000Z',
    colour: 'blue',
  };
  const gone = {
    assigned: 'x',
    started_at: 'x',
    completed_at: 'x',
    ready_after: 'x',
    failure_reason: 'x',
    session_id: 'x',
    token_usage: { cost_usd: 1 },
    checkpoint: 'x',
    artifacts: ['x'],
    retry_count: 2,
    rejection_count: 1,
    loop_iteration: 2,
    last_iteration_completed_at: 'x',
    cycle_failure_restarts: 1,
    resurrection_count: 1,
    last_resurrected_at: 'x',
    converge_on_done: true,
  };
  const log = [{ timestamp: 'then', message: 'hello' }];
  const view = graphOf(
    { id: 'a', status: 'failed', log, ...kept, ...gone, tags: ['k', 'converged'] },
    { id: 'b', status: 'done', tags: ['converged'] },
    { id: 'fresh' },
  );
  const plan = replayTasks(view, { reset: ['a', 'b', 'fresh'], preserved: [] }, { ...options, model: 'opus' });
  expect(plan.events.map((event) => [event.op, event.task_id])).toEqual([
    ['replay', 'a'],
    ['replay', 'b'],
    ['replay', 'fresh'],
  ]);
  commit(view, plan);
  const { rev: _rev, log: written, ...task } = view.task('a') ?? {};
  expect(task).toEqual({ kind: 'task', id: 'a', title: 'a', status: 'open', model: 'opus', ...kept });
  expect(written?.map((entry) => entry.message)).toEqual(['hello', 'Opened again by run-001']);
  expect(view.task('b')?.tags).toBeUndefined();
  expect(view.task('fresh')?.model).toBe('opus');
  const untouched = replayTasks(view, { reset: ['fresh'], preserved: [] }, options);
  expect(untouched.events).toEqual([]);
});

verifies('graph.replay.reset', 'refused while one of them is at work or waits, and nothing changes', () => {
  for (const status of ['in-progress', 'waiting'] as const) {
    const view = graphOf({ id: 'a', status: 'done' }, { id: 'b', status, after: ['a'] });
    const picked = pickForReplay(view, { tasks: ['a'], keep_done: 0.9 }, NOBODY);
    expect(() => replayTasks(view, picked, options)).toThrow(coded('task_running'));
  }
});

verifies('graph.replay.reset', 'the refusal names the first five, who has them, and how to release them', () => {
  const busy = (count: number) =>
    Array.from({ length: count }, (_, at) => taskOf(at % 2 ? { id: `t${at}`, status: 'waiting' } : held(`t${at}`)));
  const taskOf = (fields: object) => ({ kind: 'task', title: '', ...fields }) as Task;
  const held = (id: string) => ({ id, status: 'in-progress', assigned: 'ann' });
  const refusal = (count: number) => {
    try {
      refuseAtWork([taskOf({ id: 'free', status: 'open' }), ...busy(count)]);
    } catch (error) {
      const { message: what, hint, details } = error as TroupeError;
      return { what, hint, details };
    }
    return undefined;
  };
  expect(refusal(0)).toBeUndefined();
  expect(refusal(2)).toEqual({
    what: 't0 is in-progress (ann), t1 is waiting: nothing was changed.',
    hint: 'Wait for them, or release them: `troupe unclaim t0`, `troupe unclaim t1`.',
    details: { ids: ['t0', 't1'] },
  });
  expect(refusal(5)?.what).toMatch(/, t4 is in-progress \(ann\): nothing was changed\.$/);
  expect(refusal(7)).toMatchObject({ what: expect.stringContaining('(ann) and 2 more: nothing') });
  expect(refusal(7)?.hint?.match(/unclaim/g)).toHaveLength(5);
});

verifies('graph.replay.pick', 'the best valid score of a task counts', () => {
  const evaluations = [
    ...[
      { task_id: 'a', score: 0.4 },
      { task_id: 'a', score: 0.7 },
      { task_id: 'a', score: 0.5 },
    ],
    ...[
      { task_id: 'b', score: 0 },
      { task_id: 'c', score: 1 },
      { task_id: 'c', score: 1.1 },
    ],
    ...[{ task_id: 'd', score: -0.1 }, { task_id: 'e', score: '0.5' }, { task_id: 5, score: 0.5 }, { score: 0.5 }],
  ];
  expect([...bestScores(evaluations)]).toEqual([
    ['a', 0.7],
    ['b', 0],
    ['c', 1],
  ]);
});

verifies('graph.replay.reset', 'a task without its execution keeps all else', () => {
  const task = {
    kind: 'task',
    id: 'a',
    title: 'A',
    status: 'done',
    tags: ['converged', 'x'],
    assigned: 'ann',
  } as const;
  expect(withoutExecution({ ...task, artifacts: ['f'], priority: 'high' } as never)).toEqual({
    ...{ kind: 'task', id: 'a', title: 'A', status: 'open', tags: ['x'], priority: 'high' },
  });
  expect(withoutExecution({ kind: 'task', id: 'a', title: 'A', status: 'failed' } as never)).toEqual({
    ...{ kind: 'task', id: 'a', title: 'A', status: 'open' },
  });
});

verifies('graph.runs.all', 'what was added, removed or moved since', () => {
  const then = [...graphOf({ id: 'a' }, { id: 'b', status: 'done' }, { id: 'c' }).nodes()];
  const now = graphOf({ id: 'a', title: 'other' }, { id: 'b' }, { id: 'd', status: 'failed' });
  expect(changesSince(then, now)).toEqual([
    { id: 'b', snapshot_status: 'done', current_status: 'open', change: 'status_changed' },
    { id: 'c', snapshot_status: 'open', current_status: null, change: 'removed' },
    { id: 'd', snapshot_status: null, current_status: 'failed', change: 'added' },
  ]);
});

verifies(
  'graph.runs.all',
  'restoring puts fields back, keeps logs and fences, and gives back what a dead run held',
  () => {
    const log = [{ timestamp: 't1', message: 'one' }];
    const then = [
      ...graphOf(
        { id: 'a', status: 'failed', log, fence: 1, failure_reason: 'no' },
        { id: 'held', status: 'in-progress', assigned: 'agent-3', started_at: 'x', fence: 1 },
        { id: 'mine', status: 'in-progress', assigned: 'ann', fence: 1 },
        { id: 'same', status: 'done' },
        { id: 'lost', status: 'done' },
      ).nodes(),
    ];
    const view = graphOf(
      { id: 'a', status: 'done', log: [...log, { timestamp: 't2', message: 'two' }], fence: 3, artifacts: ['x'] },
      { id: 'held', status: 'done', fence: 1 },
      { id: 'mine', status: 'done', fence: 2 },
      { id: 'same', status: 'done' },
      { id: 'added' },
    );
    expect(commit(view, restoreRun(view, then, options))).toEqual({
      restored: ['a', 'held', 'lost', 'mine'],
      removed: ['added'],
    });
    expect(view.task('a')).toMatchObject({ status: 'failed', failure_reason: 'no', fence: 3 });
    expect(view.task('a')?.artifacts).toBeUndefined();
    expect(view.task('a')?.log?.map(({ message }) => message)).toEqual(['one', 'two', 'Restored to run-001']);
    expect(view.task('held')).toMatchObject({ status: 'open', fence: 1 });
    expect(view.task('held')?.assigned).toBeUndefined();
    expect(view.task('mine')).toMatchObject({ status: 'in-progress', assigned: 'ann', fence: 2 });
    expect(view.task('added')).toBeUndefined();
    expect(restoreRun(view, then, options).events.length).toBe(0);
  },
);

verifies(
  'graph.runs.all',
  'a task that had no attempt when it was kept goes on with the attempts it has had since',
  () => {
    const fence = (then: object, now: object) => {
      const nodes = [...graphOf({ id: 'a', title: 'then', ...then }).nodes()];
      const view = graphOf({ id: 'a', ...now });
      commit(view, restoreRun(view, nodes, { now: NOW, by: 'ann', run: 'run-001' }));
      return view.task('a')?.fence;
    };
    expect([fence({}, { fence: 3 }), fence({ fence: 2 }, {}), fence({}, {})]).toEqual([3, 2, undefined]);
  },
);

verifies('notify.once', 'what people were told is not restored: it would be told again', () => {
  const book = (position: number) => ({ id: '.notices', kind: 'notices', position }) as never;
  const view = graphOf({ id: 'a' });
  commit(view, { events: [{ op: 'notify', patch: [{ id: '.notices', put: book(9) }] }], result: undefined });
  expect(restoreRun(view, [...graphOf({ id: 'a' }).nodes(), book(2)], options).events).toEqual([]);
  expect(restoreRun(view, graphOf({ id: 'a' }).nodes(), options).events).toEqual([]);
});

verifies('graph.runs.all', 'refused while runs live; a claim of a person is no run', () => {
  expect(() => refuseLiveRuns(graphOf({ id: 'a', status: 'in-progress', assigned: 'agent-2' }))).toThrow(
    coded('task_running'),
  );
  refuseLiveRuns(graphOf({ id: 'a', status: 'in-progress', assigned: 'ann' }, { id: 'b', status: 'waiting' }));
});
