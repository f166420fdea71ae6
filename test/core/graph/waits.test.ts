import { describe, expect, test } from 'vitest';
import { claimTask, failTask, retryTask, unclaimTask } from '#core/graph/moves.js';
import { pauseTask, publishTask, resumeTask } from '#core/graph/pause.js';
import type { FileFacts } from '#core/graph/wait.js';
import { awaitedOutside, formatWait, parseWait, pathsOfWait, waitTask } from '#core/graph/wait.js';
import { verifies } from '../../verifies.js';
import { codeOf, graphOf, NOW, Play } from './graph.js';

const NO_FILES: FileFacts = new Map();
const agent = { name: 'agent-1', taskId: 'a', fence: 1 };

function park(play: Play, id: string, until: string, options: { files?: FileFacts; checkpoint?: string } = {}): void {
  play.move((view, { now, by }) => {
    const wait = parseWait(view, until, { now, by: by.name, files: options.files ?? NO_FILES });
    return waitTask(view, id, wait, { now, by, checkpoint: options.checkpoint });
  });
}

describe('what can be waited for', () => {
  const parsed = (until: string) =>
    parseWait(graphOf({ id: 'review' }), until, { now: NOW, files: new Map([['a b.txt', { mtime: 7, size: 3 }]]) });

  verifies('graph.wait.until', 'each kind, all of several or any of them', () => {
    expect(parsed('task:review=done,timer:5m')).toEqual({
      mode: 'all',
      since: '2026-03-21T10:00:00.000Z',
      conditions: [
        { type: 'task-status', task_id: 'review', status: 'done' },
        { type: 'timer', resume_after: '2026-03-21T10:05:00.000Z' },
      ],
    });
    expect(parsed('human-input|message|file:a b.txt')).toMatchObject({
      mode: 'any',
      conditions: [
        { type: 'human-input' },
        { type: 'message' },
        { type: 'file-changed', path: 'a b.txt', mtime_at_wait: 7, size_at_wait: 3 },
      ],
    });
    expect(pathsOfWait('file:x|timer:1s|file:y')).toEqual(['x', 'y']);
    expect(formatWait(parsed('task:review=done|human-input'))).toBe('review=done or input from a person');
  });

  verifies('graph.wait.until', 'mixing, unknown ids and bad values are usage errors; the task is untouched', () => {
    for (const until of [
      'timer:1s,message|message',
      'task:reviev=done',
      'task:review=finished',
      'task:review',
      'timer:soon',
      'timer:',
      '',
      'message,,message',
      'sunshine',
      Array.from({ length: 21 }, () => 'message').join(','),
    ])
      expect(
        codeOf(() => parsed(until)),
        until,
      ).toBe('usage');
    const play = new Play({ id: 'a' });
    play.claim('a');
    expect(codeOf(() => park(play, 'a', 'task:nobody=done'))).toBe('usage');
    expect(play.task('a').status).toBe('in-progress');
  });
});

describe('waiting', () => {
  verifies(
    ['graph.wait.met', 'graph.wait.to'],
    'a status is seen in the group of the move, also one that is there for a moment',
    () => {
      const play = new Play(
        { id: 'a' },
        { id: 'h', after: ['m'], cycle_config: { max_iterations: 3 } },
        { id: 'm', after: ['h'] },
      );
      play.claim('a');
      park(play, 'a', 'task:m=done', { checkpoint: 'half-way' });
      expect(play.task('a')).toMatchObject({ status: 'waiting', checkpoint: 'half-way', assigned: 'ann' });
      expect(play.ready()).toEqual(['h']);
      play.done('h');
      expect(play.task('a').status).toBe('waiting');
      play.done('m'); // opened again in the same group
      expect(play.task('m').status).toBe('open');
      expect(play.task('a')).toMatchObject({ status: 'in-progress', assigned: 'ann', fence: 1 });
      expect(play.task('a')).not.toHaveProperty('wait_condition');
    },
  );

  verifies('graph.wait.met', 'of all conditions each counts once it was seen', () => {
    const play = new Play({ id: 'a' }, { id: 'b' }, { id: 'c' });
    play.claim('a');
    park(play, 'a', 'task:b=in-progress,task:c=done');
    play.claim('b');
    play.done('b');
    expect(play.task('a').status).toBe('waiting');
    play.done('c');
    expect(play.task('a').status).toBe('in-progress');
  });

  verifies('graph.wait.met', 'timers and files are looked at in each tick', () => {
    const play = new Play({ id: 'a' }, { id: 'b' });
    const file = (mtime: number, size: number) => new Map([['out.txt', { mtime, size }]]);
    for (const id of ['a', 'b']) play.claim(id);
    park(play, 'a', 'timer:10s');
    park(play, 'b', 'file:out.txt', { files: file(1_000, 5) });
    expect(awaitedOutside(play.state)).toEqual({ paths: new Set(['out.txt']), at: play.now - 1_000 + 10_000 });
    play.tick(play.now + 8_000, file(1_000, 5));
    expect(play.statuses('a', 'b')).toBe('waiting, waiting');
    play.tick(play.now + 1_500, file(1_000, 6));
    expect(play.statuses('a', 'b')).toBe('in-progress, in-progress');
  });

  verifies('graph.wait.to', 'without the run that parked it the task is open, with the checkpoint', () => {
    const play = new Play({ id: 'a' }, { id: 'b' });
    play.claim('a');
    park(play, 'a', 'task:b=done', { checkpoint: 'half-way' });
    play.move((view) => ({
      events: [{ op: 'park', task_id: 'a', patch: [{ id: 'a', unset: ['assigned', 'started_at'] }] }],
      result: view.seq,
    }));
    play.done('b');
    expect(play.task('a')).toMatchObject({ status: 'open', checkpoint: 'half-way' });
    expect(play.task('a')).not.toHaveProperty('assigned');
  });

  verifies('graph.wait.to', 'a person lets it go on', () => {
    const play = new Play({ id: 'a' });
    play.claim('a');
    park(play, 'a', 'human-input');
    play.move((view, options) => resumeTask(view, 'a', options));
    expect(play.task('a').status).toBe('in-progress');
    expect(codeOf(() => play.move((view, options) => resumeTask(view, 'a', options)))).toBe('nothing_to_resume');
  });

  verifies('graph.wait.circular', 'who wait only for one another fail, with the chain', () => {
    const play = new Play({ id: 'a' }, { id: 'b' }, { id: 'c' }, { id: 'd' });
    for (const id of ['a', 'b', 'c', 'd']) play.claim(id);
    park(play, 'd', 'task:c=done|timer:1d');
    park(play, 'a', 'task:b=done');
    park(play, 'b', 'task:c=done|task:a=done');
    expect(play.statuses('a', 'b', 'c')).toBe('waiting, waiting, in-progress');
    park(play, 'c', 'task:a=done,human-input');
    expect(play.statuses('a', 'b', 'c', 'd')).toBe('failed, failed, failed, waiting');
    expect(play.task('a').failure_reason).toBe('Circular wait: a → b → c → a');
    const alone = new Play({ id: 'a' });
    alone.claim('a');
    park(alone, 'a', 'task:a=done');
    expect(alone.task('a').failure_reason).toBe('Circular wait: a → a');
  });

  verifies('graph.wait.hopeless', 'what can no longer come wakes, and the log says why', () => {
    const play = new Play({ id: 'a' }, { id: 'b' });
    play.claim('a');
    park(play, 'a', 'task:b=done');
    play.fail('b');
    expect(play.task('a').status).toBe('in-progress');
    expect(play.task('a').log?.at(-1)?.message).toContain('b is failed, not done');
    const gone = new Play({ id: 'a' }, { id: 'b' });
    gone.claim('a');
    park(gone, 'a', 'task:b=done');
    gone.move(() => ({ events: [{ op: 'gc', patch: [{ id: 'b', del: true }] }], result: undefined }));
    expect(gone.task('a').log?.at(-1)?.message).toContain('b no longer exists');
  });

  test('a failure in a cycle that begins again is not the end of hope', () => {
    const play = new Play(
      { id: 'a' },
      { id: 'h', after: ['m'], cycle_config: { max_iterations: 3 } },
      { id: 'm', after: ['h'] },
    );
    play.claim('a');
    park(play, 'a', 'task:m=done');
    play.done('h');
    play.fail('m');
    expect(play.statuses('a', 'm')).toBe('waiting, open');
  });

  test('a run parks and wakes its own task only, and a late one not at all', () => {
    const play = new Play({ id: 'a' }, { id: 'b' });
    play.move((view, { now }) => claimTask(view, 'a', { now, by: { name: 'agent-1' } }));
    const wait = parseWait(play.state, 'human-input', { now: NOW, files: NO_FILES });
    const parkAs = (id: string, by: typeof agent) => () => waitTask(play.state, id, wait, { now: NOW, by });
    expect(codeOf(parkAs('b', agent))).toBe('not_yours');
    expect(codeOf(parkAs('a', { ...agent, fence: 0 }))).toBe('stale_attempt');
    expect(codeOf(parkAs('a', agent))).toBe('none');
  });

  test('giving up, failing and taking back end the wait', () => {
    for (const end of [failTask, unclaimTask]) {
      const play = new Play({ id: 'a' });
      play.claim('a');
      park(play, 'a', 'human-input');
      play.move((view, options) => end(view, 'a', options));
      expect(play.task('a')).not.toHaveProperty('wait_condition');
      expect([...play.state.waiting()]).toEqual([]);
    }
  });
});

describe('pausing', () => {
  verifies('graph.pause.flag', 'in any status, twice is nothing; resuming goes downstream, or only here', () => {
    const play = new Play(
      { id: 'a', status: 'done' },
      { id: 'b', after: ['a'], paused: true },
      { id: 'c', after: ['b'], paused: true },
      { id: 'd', paused: true },
    );
    const pause = (id: string) => play.move((view, options) => pauseTask(view, id, options));
    expect(pause('a')).toMatchObject({ changed: true, status: 'done' });
    expect(pause('a').changed).toBe(false);
    expect(play.move((view, options) => resumeTask(view, 'b', { ...options, only: true })).resumed).toEqual(['b']);
    expect(play.move((view, options) => resumeTask(view, 'a', options)).resumed).toEqual(['a', 'c']);
    expect(play.task('d').paused).toBe(true);
    expect(play.task('a').status).toBe('done');
  });

  verifies('graph.pause.draft', 'publishing refuses what hangs on nothing and what could never begin', () => {
    const play = new Play(
      { id: 'a', paused: true, after: ['ghost'] },
      { id: 'p', paused: true, after: ['q'] },
      { id: 'q', paused: true, after: ['p'] },
      { id: 'x', paused: true },
      { id: 'y', paused: true, after: ['x'] },
    );
    const publish = (id: string) => play.move((view, options) => publishTask(view, id, options));
    expect(codeOf(() => publish('a'))).toBe('unknown_task');
    expect(codeOf(() => publish('p'))).toBe('deadlock');
    expect(publish('x').resumed).toEqual(['x', 'y']);
    expect(play.ready()).toEqual(['x']);
    expect(play.ops('publish')).toHaveLength(2);
  });
});

test('a retry of a paused task stays paused', () => {
  const play = new Play({ id: 'a', paused: true });
  play.fail('a');
  play.move((view, options) => retryTask(view, 'a', options));
  expect(play.ready()).toEqual([]);
});
