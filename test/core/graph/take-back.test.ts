import { expect } from 'vitest';
import { addTask } from '#core/graph/add.js';
import type { Plan } from '#core/graph/event.js';
import { blockTask, claimTask, reopenTask, retryTask } from '#core/graph/moves.js';
import { pauseTask, resumeTask } from '#core/graph/pause.js';
import { takeBack } from '#core/graph/take-back.js';
import { fieldsOf } from '#core/graph/task-field.js';
import type { GraphView } from '#core/graph/view.js';
import { verifies } from '../../verifies.js';
import { type ann, graphOf, Play, type TaskFields } from './graph.js';

type Decide = (view: GraphView, options: { now: number; by: typeof ann }) => Plan<unknown>;

/** Plays moves on a task, takes the last part of them back, and returns the task before and after that. */
function back(fields: TaskFields, moves: readonly Decide[], since = 0) {
  const play = new Play({ id: 'a', ...fields });
  const before = graphOf({ id: 'a', ...fields });
  for (const decide of moves) play.move(decide);
  const entries = play.entries.slice(since);
  const result = play.move((view, options) => takeBack(view, { before, entries }, ['a'], options));
  const plain = (task: ReturnType<typeof before.task>) => {
    const { log: _log, rev: _rev, fence: _fence, ...rest } = fieldsOf(task);
    return rest;
  };
  return { result, former: plain(before.task('a')), now: plain(play.state.task('a')), play };
}

const FAILED: TaskFields = {
  status: 'failed',
  failure_reason: 'the key is refused',
  completed_at: '2026-03-01T09:00:00.000Z',
  started_at: '2026-03-01T08:00:00.000Z',
  assigned: 'agent-1',
  fence: 1,
  retry_count: 1,
  deaths: 1,
};

verifies('web.now.undo', 'a move that only changed its task is taken back to the letter, and the log says both', () => {
  for (const [fields, decide] of [
    [FAILED, (view, options) => retryTask(view, 'a', options)],
    [FAILED, (view, options) => reopenTask(view, 'a', options)],
    [{ status: 'blocked' }, (view, options) => reopenTask(view, 'a', options)],
    [{}, (view, options) => blockTask(view, 'a', options)],
    [{ paused: true }, (view, options) => resumeTask(view, 'a', options)],
    [{}, (view, options) => pauseTask(view, 'a', options)],
  ] as readonly [TaskFields, Decide][]) {
    const { result, former, now, play } = back(fields, [decide]);
    expect(now).toEqual(former);
    expect(result).toEqual({ taken: ['a'], kept: [] });
    expect(play.state.task('a')?.log?.at(-1)?.message).toMatch(/^Taken back: /);
  }
});

verifies('web.now.undo', 'what has moved on, is new, or cannot be put back stays as it is, with the reason', () => {
  const retry: Decide = (view, options) => retryTask(view, 'a', options);
  const claim: Decide = (view, options) => claimTask(view, 'a', options);
  const refused = (what: string) => expect.objectContaining({ code: 'wrong_status', message: what });
  expect(() => back(FAILED, [retry, claim])).toThrow(refused('a stays as it is: it has moved on since.'));
  expect(() => back({}, [claim])).toThrow(refused('a stays as it is: it cannot be restored after claim.'));
  expect(() => back({}, [])).toThrow(refused('a stays as it is: it has not changed since.'));

  const play = new Play({ id: 'a', ...FAILED }, { id: 'b', ...FAILED });
  const before = graphOf({ id: 'a', ...FAILED }, { id: 'b', ...FAILED });
  for (const id of ['a', 'b']) play.move((view, options) => retryTask(view, id, options));
  play.move((view, options) => claimTask(view, 'b', options));
  const result = play.move((view, options) =>
    takeBack(view, { before, entries: play.entries }, ['a', 'b', 'a'], options),
  );
  expect(result).toEqual({ taken: ['a'], kept: [{ id: 'b', why: 'has moved on since' }] });
  expect(play.state.task('b')).toMatchObject({ status: 'in-progress', fence: 2 });

  const empty = graphOf();
  expect(() =>
    play.move((view, options) => takeBack(view, { before: empty, entries: play.entries.slice(0, 1) }, ['a'], options)),
  ).toThrow(refused('a stays as it is: it is new.'));
});

verifies('web.now.undo', 'tasks that were added are abandoned, unless something has followed', () => {
  const before = graphOf();
  const play = new Play();
  for (const draft of [
    { id: 'a', title: 'a' },
    { id: 'b', title: 'b', after: ['a'] },
    { id: 'c', title: 'c' },
  ])
    play.move((view, options) => addTask(view, draft, options));
  play.move((view, options) => claimTask(view, 'c', options));
  const result = play.move((view, options) =>
    takeBack(view, { before, entries: play.entries }, ['a', 'b', 'c'], options),
  );
  expect(result).toEqual({ taken: ['a', 'b'], kept: [{ id: 'c', why: 'has moved on since' }] });
  expect(['a', 'b', 'c'].map((id) => play.state.task(id)?.status)).toEqual(['abandoned', 'abandoned', 'in-progress']);
});

verifies('web.now.undo', 'a task on a cycle is not put back: the cycle has moved on with it', () => {
  const ring = (status: 'failed' | 'open') => [
    { id: 'a', status, after: ['b'], cycle_config: { max_iterations: 3 } } as const,
    { id: 'b', after: ['a'] } as const,
  ];
  const play = new Play(...ring('open'));
  play.move((view, options) => blockTask(view, 'a', options));
  const before = graphOf(...ring('open'));
  const again = () => play.move((view, options) => takeBack(view, { before, entries: play.entries }, ['a'], options));
  expect(again).toThrow(expect.objectContaining({ code: 'wrong_status' }));
  expect(play.state.task('a')?.status).toBe('blocked');
});
