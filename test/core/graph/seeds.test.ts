import { describe, expect, test } from 'vitest';
import { addTask, type TaskDraft } from '#core/graph/add.js';
import { editTask } from '#core/graph/edit.js';
import { placeTask } from '#core/graph/place.js';
import { readiness } from '#core/graph/ready.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from './graph.js';
import { codeOf, graphOf, NOW, Play } from './graph.js';

const run = { name: 'agent-1', taskId: 'p', fence: 1 };
const running = (more: TaskFields = {}) =>
  ({ id: 'p', status: 'in-progress', assigned: 'agent-1', fence: 1, ...more }) as const;
const add = (play: Play, draft: Partial<TaskDraft> & { id: string }, by = run) =>
  play.move((view, { now }) => addTask(view, { title: draft.id, ...draft }, { now, actor: by.name, by }));

describe('what a run adds', () => {
  verifies('graph.seed.grow', 'has it as its parent and the run as its maker', () => {
    const play = new Play(running());
    add(play, { id: 'c' });
    expect(play.task('c')).toMatchObject({ parent: 'p', created_by: 'agent-1' });
    expect(play.state.madeBy('agent-1')).toBe(1);
  });

  verifies('graph.seed.limits', 'so many and so deep; persons as they like', () => {
    const play = new Play(running());
    for (let number = 0; number < 10; number++) add(play, { id: `c${number}` });
    expect(codeOf(() => add(play, { id: 'one-more' }))).toBe('child_limit');
    play.move((view, { now }) => addTask(view, { title: 'x', id: 'mine' }, { now, actor: 'ann', by: { name: 'ann' } }));
    const chain = Array.from({ length: 9 }, (_, depth) => ({
      ...running({ id: `d${depth}` }),
      ...(depth > 0 ? { parent: `d${depth - 1}` } : {}),
    }));
    const deep = new Play(...chain);
    expect(codeOf(() => add(deep, { id: 'ok' }, { ...run, taskId: 'd7' }))).toBe('none');
    expect(codeOf(() => add(deep, { id: 'too-deep' }, { ...run, taskId: 'd8' }))).toBe('depth_limit');
  });

  verifies('graph.seed.powers', 'may do at most what the run may', () => {
    const bare = new Play(running({ exec_mode: 'bare' }));
    for (const draft of [
      { exec: 'rm x' },
      { verify_cmd: 'true' },
      { exec_mode: 'light' },
      { exec_mode: 'full' },
      { exec_mode: 'shell' },
    ] as const)
      expect(
        codeOf(() => add(bare, { id: 'c', ...draft })),
        JSON.stringify(draft),
      ).toBe('not_yours');
    add(bare, { id: 'c' });
    expect(bare.task('c').exec_mode).toBe('bare');
    const light = new Play(running({ exec_mode: 'light' }));
    add(light, { id: 'c', exec_mode: 'bare' });
    expect(
      codeOf(() =>
        light.move((view, { now }) => editTask(view, 'c', { exec: 'true' }, { by: run, now } as never), run),
      ),
    ).toBe('not_yours');
    const full = new Play(running());
    add(full, { id: 'c', exec: 'true', exec_mode: 'full' });
    expect(full.task('c').exec).toBe('true');
  });
});

describe('placement', () => {
  verifies('graph.place.hints', '--place-before adds edges to what has not begun, and warns of the rest', () => {
    const play = new Play(
      { id: 'a' },
      { id: 'b', status: 'done' },
      { id: 'c', status: 'in-progress' },
      { id: 'd', after: ['a'] },
    );
    const { warnings } = play.move((view, { now }) =>
      addTask(view, { title: 'n', id: 'n', place_before: ['a', 'b', 'c', 'd', 'ghost'], place_near: ['a'] }, { now }),
    );
    expect(warnings).toHaveLength(3);
    expect([play.task('a').after, play.task('d').after]).toEqual([['n'], ['a', 'n']]);
    expect(play.task('n').place_near).toEqual(['a']);
    expect(play.ready()).toEqual(['n']);
    play.move((view, { now }) => addTask(view, { title: 'm', id: 'm', no_place: true, place_near: ['a'] }, { now }));
    expect(play.task('m')).not.toHaveProperty('place_near');
  });

  verifies('graph.ready.unplaced', 'what waits for its place is not ready', () => {
    const graph = graphOf({ id: 'a', unplaced: true });
    expect(readiness(graph, 'a', NOW).reasons).toEqual([{ code: 'unplaced' }]);
    expect([...graph.candidates()]).toEqual([]);
  });
});

describe('what a task says', () => {
  verifies('graph.cycle.bounded', 'cycle flags want a bound from 1 to 10,000, and make no edges', () => {
    const play = new Play();
    const say = (draft: object) => () => add(play, { id: 'c', ...draft }, { name: 'ann' } as never);
    for (const draft of [
      { cycle_guard: 'always' },
      { cycle_delay: '5m' },
      { no_converge: true },
      { no_restart_on_failure: true },
      { max_failure_restarts: 2 },
      { max_iterations: 0 },
      { max_iterations: 1.5 },
      { max_iterations: 10_001 },
    ])
      expect(codeOf(say(draft)), JSON.stringify(draft)).toBe('usage');
    say({
      max_iterations: 3,
      cycle_guard: 'iteration<2',
      cycle_delay: '5m',
      no_converge: true,
      no_restart_on_failure: true,
      max_failure_restarts: 0,
    })();
    expect(play.task('c').cycle_config).toEqual({
      max_iterations: 3,
      guard: { IterationLessThan: 2 },
      delay: '5m',
      no_converge: true,
      restart_on_failure: false,
      max_failure_restarts: 0,
    });
    expect(play.task('c')).not.toHaveProperty('after');
    play.move((view, options) => editTask(view, 'c', { cycle_guard: 'always' }, options));
    expect(play.task('c').cycle_config).toMatchObject({ max_iterations: 3, guard: 'Always' });
    play.move((view, options) => editTask(view, 'c', { clear: ['cycle_config'] }, options));
    expect(play.task('c')).not.toHaveProperty('cycle_config');
  });

  test('words of closed vocabularies and bounded numbers', () => {
    const play = new Play();
    const say = (draft: object) => () => add(play, { id: 'c', ...draft }, { name: 'ann' } as never);
    for (const draft of [
      { provider: 'acme' },
      { visibility: 'all' },
      { context_scope: 'everything' },
      { max_retries: -1 },
    ])
      expect(codeOf(say(draft)), JSON.stringify(draft)).toBe('usage');
    for (const draft of [{ hours: -1 }, { cost: Number.NaN }, { cycle_delay: 'soon', max_iterations: 1 }])
      expect(codeOf(say(draft)), JSON.stringify(draft)).toBe('bad_input');
    say({
      provider: 'local',
      visibility: 'public',
      context_scope: 'graph',
      max_retries: 3,
      hours: 2,
      cost: 0.5,
      requires: ['gpu'],
    })();
    expect(play.task('c')).toMatchObject({
      provider: 'local',
      visibility: 'public',
      max_retries: 3,
      estimate: { hours: 2, cost: 0.5 },
    });
  });

  test('a task may come after itself only in a bounded cycle', () => {
    const play = new Play();
    expect(codeOf(() => add(play, { id: 'c', after: ['c'] }, { name: 'ann' } as never))).toBe('bad_input');
    add(play, { id: 'c', after: ['c'], max_iterations: 2 }, { name: 'ann' } as never);
    for (let passes = 0; passes < 3; passes++) {
      expect(play.ready()).toEqual(['c']);
      play.done('c');
    }
    expect(play.task('c')).toMatchObject({ status: 'done', loop_iteration: 2 });
  });
});

verifies('graph.pattern.shapes', 'fan-out, fan-in, map and reduce and a pipeline come about from edges alone', () => {
  const play = new Play(
    { id: 'split' },
    ...['m1', 'm2', 'm3'].map((id) => ({ id, after: ['split'] })),
    { id: 'reduce', after: ['m1', 'm2', 'm3'] },
    { id: 'ship', after: ['reduce'] },
  );
  const waves: string[][] = [];
  for (let ready = play.ready(); ready.length > 0; ready = play.ready()) {
    waves.push(ready);
    for (const id of ready) play.done(id);
  }
  expect(waves).toEqual([['split'], ['m1', 'm2', 'm3'], ['reduce'], ['ship']]);
});

describe('places found without a model', () => {
  const placed = (...tasks: (TaskFields & { id: string })[]) => {
    const play = new Play(...tasks);
    play.place();
    return play;
  };

  verifies(
    ['graph.place.auto', 'coord.tick.place'],
    'near others: where they begin; else after what brings forth its inputs; else as it stands',
    () => {
      const near = placed({ id: 'a' }, { id: 'b', after: ['a'] }, { id: 'n', unplaced: true, place_near: ['b'] });
      expect(near.task('n')).toMatchObject({ after: ['a'], status: 'open' });
      for (const field of ['unplaced', 'place_near']) expect(near.task('n')).not.toHaveProperty(field);
      const reads = placed(
        { id: 'a', deliverables: ['x.md'] },
        { id: 'b', deliverables: ['y.md'] },
        { id: 'n', unplaced: true, inputs: ['x.md'] },
      );
      expect(reads.task('n').after).toEqual(['a']);
      const alone = placed({ id: 'a' }, { id: 'n', unplaced: true });
      expect(alone.ready()).toEqual(['a', 'n']);
      expect([...alone.state.unplaced()]).toEqual([]);
    },
  );

  verifies('graph.place.auto', 'what nobody knows is dropped, and what would close a cycle', () => {
    const play = new Play(
      { id: 'n', unplaced: true },
      { id: 'later', after: ['n'] },
      { id: 'last', after: ['later'] },
      { id: 'a' },
    );
    play.move((view, { now }) =>
      placeTask(view, 'n', { after: ['ghost', 'n', 'last', 'a'], before: ['a', 'ghost'] }, now),
    );
    expect(play.task('n').after).toEqual(['a']);
    expect(play.task('a')).not.toHaveProperty('after');
    const other = new Play(
      { id: 'n', unplaced: true, after: ['p'] },
      { id: 'p', after: ['q'] },
      { id: 'q' },
      { id: 'r' },
    );
    other.move((view, { now }) => placeTask(view, 'n', { before: ['q', 'r'] }, now));
    expect([other.task('q').after, other.task('r').after]).toEqual([undefined, ['n']]);
    expect([...other.state.cycles()]).toEqual([]);
  });

  test('with the setting on a new task waits for its place, unless it says otherwise', () => {
    const play = new Play();
    const make = (id: string, draft: Partial<TaskDraft> = {}) =>
      play.move((view, { now }) => addTask(view, { title: id, id, ...draft }, { now, autoPlace: true }));
    make('a');
    make('b', { no_place: true });
    expect(play.ready()).toEqual(['b']);
  });
});
