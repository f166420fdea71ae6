import { describe, expect, test } from 'vitest';
import { decideCycle } from '#core/graph/cycle-decision.js';
import { formatGuard, guardHolds, parseGuard } from '#core/graph/guard.js';
import { abandonTask, doneTask, retryTask } from '#core/graph/moves.js';
import { pauseTask, resumeTask } from '#core/graph/pause.js';
import { readiness } from '#core/graph/ready.js';
import { approveTask, rejectTask } from '#core/graph/review.js';
import type { CycleConfig } from '#core/graph/task.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from './graph.js';
import { codeOf, graphOf, NOW, Play } from './graph.js';

/** `a → b → a`, and `z` after both; the config on `a`. */
function pair(config: Partial<CycleConfig> = {}, more: Partial<Record<string, TaskFields>> = {}): Play {
  return new Play(
    { id: 'a', after: ['b'], cycle_config: { max_iterations: 2, ...config }, ...more['a'] },
    { id: 'b', after: ['a'], ...more['b'] },
    { id: 'z', after: ['b'], ...more['z'] },
  );
}

/** One pass in which everything goes well. */
function pass(play: Play): void {
  play.done('a');
  play.done('b');
}

const decision = (play: Play) => {
  const cycle = play.state.cycle('a');
  if (!cycle) throw new Error('no cycle');
  const { do: verb, why } = decideCycle(play.state, cycle);
  return `${verb}: ${why}`;
};

describe('passes', () => {
  verifies(['graph.cycle.count', 'graph.cycle.bounded'], '2 allows two re-openings, passes 0 to 2', () => {
    const play = pair();
    for (const iteration of [1, 2]) {
      pass(play);
      expect([play.task('a').loop_iteration, play.task('b').loop_iteration]).toEqual([iteration, iteration]);
      expect(play.ready()).toEqual(['a']);
    }
    pass(play);
    expect(play.statuses('a', 'b')).toBe('done, done');
    expect(decision(play)).toBe('ended: iterations-spent');
    expect(play.ready()).toEqual(['z']);
  });

  verifies('graph.cycle.bounded', 'a file with no bound, or one of 0: a single pass', () => {
    for (const config of [{}, { max_iterations: 0 }, { max_iterations: 'many' }]) {
      const play = pair(config as Partial<CycleConfig>, { a: { cycle_config: config as CycleConfig } });
      pass(play);
      expect(play.statuses('a', 'b')).toBe('done, done');
      expect(play.ready()).toEqual(['z']);
    }
  });

  verifies(
    'graph.ready.header',
    'the header ignores what is inside its cycle, in every pass, and waits for the rest',
    () => {
      const play = new Play(
        { id: 'x' },
        { id: 'a', after: ['b', 'x'], cycle_config: { max_iterations: 1 } },
        { id: 'b', after: ['a'] },
      );
      expect(readiness(play.state, 'a', NOW).reasons).toEqual([{ code: 'predecessor', ids: ['x'] }]);
      play.done('x');
      expect(play.ready()).toEqual(['a']);
      pass(play);
      expect(play.ready()).toEqual(['a']);
      expect(readiness(play.state, 'b', NOW).reasons).toEqual([{ code: 'predecessor', ids: ['a'] }]);
    },
  );

  verifies('graph.cycle.unconfigured', 'without a config nothing is exempt and nothing goes round', () => {
    const play = new Play({ id: 'a', after: ['b'] }, { id: 'b', after: ['a'] });
    expect(play.ready()).toEqual([]);
    expect(decision(play)).toBe('wait: no-config');
  });

  verifies('graph.cycle.unconfigured', 'once the last config is gone, what its cycle held is free at once', () => {
    const ring = [
      { id: 'a', after: ['c'] },
      { id: 'b', after: ['a'], status: 'failed' as const },
    ];
    for (const patch of [
      [{ id: 'a', set: {}, unset: ['cycle_config'] }],
      [{ id: 'a', del: true, to: 'gc', kept: { kind: 'task', id: 'a', title: 'a', status: 'open' } }],
    ]) {
      const state = graphOf(...ring, { id: 'c', after: ['b'] });
      state.apply({ seq: 2, patch: [{ id: 'a', set: { cycle_config: { max_iterations: 3 } } }] } as never);
      expect([...state.candidates()]).toEqual([]);
      state.apply({ seq: 3, patch } as never);
      expect([...state.candidates()]).toEqual(['c']);
    }
  });

  verifies('graph.cycle.reopen', 'a pass begins without the marks of the last, but with its history', () => {
    const play = pair({}, { b: { agent: 'x'.repeat(8), tags: ['slow'], artifacts: ['out.txt'], max_rejections: 9 } });
    play.claim('a');
    play.done('a');
    play.claim('b');
    const ended = play.now + 1_000;
    play.done('b');
    const { log, ...b } = play.task('b');
    expect(b).toMatchObject({
      status: 'open',
      agent: 'xxxxxxxx',
      tags: ['slow'],
      artifacts: ['out.txt'],
      loop_iteration: 1,
      last_iteration_completed_at: new Date(ended).toISOString(),
      fence: 1,
    });
    for (const field of ['assigned', 'started_at', 'completed_at', 'retry_count']) expect(b).not.toHaveProperty(field);
    expect(log?.at(-1)?.message).toBe('Re-activated by cycle iteration (iteration 1/2)');
    expect(log?.length).toBeGreaterThan(1);
  });

  verifies('graph.cycle.reopen', 'what was abandoned stays so', () => {
    const play = new Play(
      { id: 'a', after: ['c'], cycle_config: { max_iterations: 1 } },
      { id: 'b', after: ['a'], status: 'abandoned' },
      { id: 'c', after: ['b', 'a'] },
    );
    play.done('a');
    play.done('c');
    expect(play.statuses('a', 'b', 'c')).toBe('open, abandoned, open');
  });

  verifies('graph.cycle.delay', 'the header waits before each pass, or forgets an old pause', () => {
    const play = pair({ delay: '5m' });
    pass(play);
    expect(play.task('a').ready_after).toBe(new Date(play.now + 300_000).toISOString());
    expect(play.ready()).toEqual([]);
    play.now += 300_001;
    expect(play.ready()).toEqual(['a']);
    const without = pair({}, { a: { ready_after: '2026-01-01T00:00:00Z' } });
    pass(without);
    expect(without.task('a')).not.toHaveProperty('ready_after');
  });
});

describe('guards', () => {
  verifies('graph.cycle.guards', 'are read, written and weighed', () => {
    const graph = graphOf({ id: 'b', status: 'failed' });
    for (const [text, iteration, holds] of [
      ['always', 0, true],
      ['task:b=failed', 0, true],
      ['task:b=done', 0, false],
      ['task:nobody=done', 0, false],
      ['iteration<2', 1, true],
      ['iteration<2', 2, false],
    ] as const) {
      expect(formatGuard(parseGuard(text))).toBe(text);
      expect(guardHolds(graph, parseGuard(text), iteration), text).toBe(holds);
    }
    expect(guardHolds(graph, undefined, 0)).toBe(true);
    expect(guardHolds(graph, { Unheard: 1 } as never, 0)).toBe(false);
    for (const text of ['', 'never', 'task:b', 'task:b=finished', 'task:=done', 'iteration<', 'iteration<-1'])
      expect(
        codeOf(() => parseGuard(text)),
        text,
      ).toBe('usage');
  });

  verifies('graph.cycle.guards', 'iteration<N looks at the header', () => {
    const play = pair({ max_iterations: 9, guard: { IterationLessThan: 1 } });
    pass(play);
    expect(play.task('a').loop_iteration).toBe(1);
    pass(play);
    expect(decision(play)).toBe('ended: guard-false');
  });
});

describe('ends', () => {
  verifies('graph.cycle.decide', 'the first reason in order counts', () => {
    const at = (fields: Record<string, TaskFields>, config: Partial<CycleConfig> = {}) =>
      decision(pair(config, fields));
    const done = { a: { status: 'done' }, b: { status: 'done' } } as const;
    expect(at({ ...done, b: { status: 'done', paused: true } })).toBe('wait: paused');
    expect(at({ a: { status: 'failed' }, b: { status: 'in-progress' } })).toBe('hold: failed-others-at-work');
    expect(at({ a: { status: 'failed' }, b: { status: 'open' } })).toBe('restart: failed-restart');
    expect(at({ a: { status: 'done' } })).toBe('wait: unfinished');
    expect(at({ a: { status: 'abandoned' }, b: { status: 'abandoned' } })).toBe('end: nothing-done');
    expect(at({ ...done, a: { status: 'done', tags: ['converged'] } })).toBe('end: converged');
    expect(at({ ...done, a: { status: 'done', tags: ['converged'] } }, { no_converge: true })).toBe(
      'iterate: guard-true',
    );
    expect(at({ ...done, a: { status: 'done', loop_iteration: 2 } })).toBe('end: iterations-spent');
    expect(at(done, { guard: { TaskStatus: { task: 'b', status: 'failed' } } })).toBe('end: guard-false');
    expect(at({ a: { status: 'failed' }, b: { status: 'done' } }, { restart_on_failure: false })).toBe(
      'end: member-failed',
    );
    expect(at(done)).toBe('iterate: guard-true');
    const named = { guard: { TaskStatus: { task: 'b', status: 'failed' } } } as const;
    expect(at({ a: { status: 'abandoned' }, b: { status: 'failed' } }, named)).toBe('iterate: guard-true');
  });

  verifies('graph.cycle.converge', 'any member may say so; the header carries the tag, the cycle ends', () => {
    const play = pair({ max_iterations: 9 });
    play.done('a');
    play.done('b', true);
    expect(play.task('a').tags).toEqual(['converged']);
    expect(decision(play)).toBe('ended: converged');
    expect(play.ready()).toEqual(['z']);
    const header = pair();
    header.done('a', true);
    expect(header.task('a').tags).toEqual(['converged']);
    for (const id of ['a', 'b']) {
      const tagged = pair({ max_iterations: 9 }, { a: { tags: ['mine'] } });
      if (id === 'b') tagged.done('a');
      tagged.done(id, true);
      expect(tagged.task('a').tags, `of ${id}`).toEqual(['mine', 'converged']);
    }
  });

  verifies('graph.cycle.converge', 'no_converge and no cycle at all: done, no tag, said so', () => {
    const play = pair({ no_converge: true });
    expect(play.done('a', true).warnings[0]).toContain('no_converge');
    expect(play.task('a').tags).toBeUndefined();
    const alone = new Play({ id: 'a' });
    expect(alone.done('a', true).warnings[0]).toContain('is not in a cycle');
    expect(alone.task('a').status).toBe('done');
  });

  verifies('graph.cycle.converge', 'under review the tag waits for approval and dies with rejection', () => {
    const ben = { name: 'ben' };
    const play = pair({}, { a: { verify: 'read it' } });
    play.done('a', true);
    expect(play.task('a')).toMatchObject({ status: 'pending-validation', converge_on_done: true });
    expect(play.task('a').tags).toBeUndefined();
    play.move((view, options) => rejectTask(view, 'a', { ...options, reason: 'no' }), ben);
    expect(play.task('a')).not.toHaveProperty('converge_on_done');
    play.done('a', true);
    play.move((view, options) => approveTask(view, 'a', options), ben);
    expect(play.task('a')).toMatchObject({ status: 'done', tags: ['converged'] });
  });

  verifies(
    ['graph.cycle.converge', 'graph.move.fail-retry'],
    'a retry of any member takes the tag away and the cycle goes on',
    () => {
      const play = pair({ max_iterations: 9 });
      play.done('a');
      play.done('b', true);
      expect(codeOf(() => play.move((view, options) => retryTask(view, 'z', options)))).toBe('wrong_status');
      play.move((view, options) => retryTask(view, 'b', options));
      expect(play.task('a').tags ?? []).toEqual([]);
      expect(play.task('a')).not.toHaveProperty('cycle_ended');
      play.done('b');
      expect(play.task('a').loop_iteration).toBe(1);
    },
  );
});

describe('failures', () => {
  verifies(
    ['graph.cycle.restart', 'graph.ready.held'],
    'all begin the pass again once nobody is at work; until then they are held',
    () => {
      const play = new Play(
        { id: 'a', after: ['d'], cycle_config: { max_iterations: 3 }, loop_iteration: 1 },
        { id: 'b', after: ['a'] },
        { id: 'c', after: ['a'] },
        { id: 'd', after: ['b', 'c'] },
        { id: 'z', after: ['b'] },
      );
      play.done('a');
      play.claim('b');
      play.claim('c');
      play.fail('b');
      expect(play.statuses('a', 'b', 'c')).toBe('done, failed, in-progress');
      expect(readiness(play.state, 'z', play.now).reasons).toEqual([{ code: 'cycle-restart', ids: ['a'] }]);
      expect([...play.state.candidates()]).toEqual([]);
      play.done('c');
      expect(play.statuses('a', 'b', 'c', 'd')).toBe('open, open, open, open');
      expect(play.task('a')).toMatchObject({ cycle_failure_restarts: 1, loop_iteration: 1 });
      expect(play.ops('cycle_restart')[0]?.detail).toMatchObject({ restarts: 1, failed: ['b'] });
      expect(play.ready()).toEqual(['a']);
    },
  );

  verifies('graph.cycle.restart', 'so often and no more; then what failed stays failed and the rest may go on', () => {
    const play = pair({ max_failure_restarts: 2 });
    for (const restarts of [1, 2]) {
      play.fail('a');
      expect(play.task('a')).toMatchObject({ status: 'open', cycle_failure_restarts: restarts });
    }
    play.fail('a');
    expect(play.task('a').status).toBe('failed');
    expect(play.ready()).toEqual(['b']);
    play.done('b');
    expect(decision(play)).toBe('ended: member-failed');
    expect(play.ready()).toEqual(['z']);
  });

  verifies('graph.cycle.restart', 'the tag of a cycle that converged is dropped with the restart', () => {
    const play = pair();
    play.done('a', true);
    play.fail('b');
    expect(play.statuses('a', 'b')).toBe('open, open');
    expect(play.task('a').tags ?? []).toEqual([]);
  });
});

verifies('graph.cycle.pause', 'paused members that hold others are named in order', () => {
  const play = pair();
  for (const id of ['b', 'a']) play.move((view, options) => pauseTask(view, id, options));
  play.done('a');
  play.done('b');
  expect(readiness(play.state, 'z', play.now).reasons).toEqual([{ code: 'paused', ids: ['a', 'b'] }]);
});

verifies('graph.cycle.pause', 'a paused member halts the cycle, and resuming it goes on at once', () => {
  const play = pair();
  play.move((view, options) => pauseTask(view, 'b', options));
  play.done('a');
  play.done('b');
  expect(play.statuses('a', 'b')).toBe('done, done');
  expect(readiness(play.state, 'z', play.now).reasons).toEqual([{ code: 'paused', ids: ['b'] }]);
  expect([...play.state.candidates()]).toEqual([]);
  play.move((view, options) => resumeTask(view, 'b', { ...options, only: true }));
  expect(play.statuses('a', 'b')).toBe('open, open');
});

verifies(
  'graph.cycle.nested',
  'the outer waits for the inner, and its own passes set that back to the beginning',
  () => {
    const play = new Play(
      { id: 'a', after: ['d'], cycle_config: { max_iterations: 1 } },
      { id: 'b', after: ['a', 'c'], cycle_config: { max_iterations: 1 } },
      { id: 'c', after: ['b'] },
      { id: 'd', after: ['c'] },
    );
    play.done('a');
    play.done('b');
    expect(play.ready()).toEqual(['c']);
    play.done('c');
    expect([play.task('b').loop_iteration, play.task('a').loop_iteration]).toEqual([1, undefined]);
    expect(play.ready()).toEqual(['b']);
    play.done('b');
    play.done('c');
    expect(play.ready()).toEqual(['d']);
    play.done('d');
    expect(play.statuses('a', 'b', 'c', 'd')).toBe('open, open, open, open');
    expect(['a', 'b', 'c', 'd'].map((id) => play.task(id).loop_iteration ?? 0)).toEqual([1, 0, 0, 1]);
    for (const id of ['a', 'b', 'c', 'b', 'c', 'd']) play.done(id);
    expect(play.statuses('a', 'b', 'c', 'd')).toBe('done, done, done, done');
  },
);

test('cycles beside each other keep out of each other’s way', () => {
  const play = new Play(
    { id: 'a', after: ['b'], cycle_config: { max_iterations: 1 } },
    { id: 'b', after: ['a'] },
    { id: 'p', after: ['q', 'b'], cycle_config: { max_iterations: 1 } },
    { id: 'q', after: ['p'] },
  );
  pass(play);
  expect(play.ready()).toEqual(['a']);
  pass(play);
  expect(play.ready()).toEqual(['p']);
  play.done('p');
  play.done('q');
  expect(play.statuses('a', 'b', 'p', 'q')).toBe('done, done, open, open');
});

verifies(['graph.cycle.when'], 'a tick finishes what an earlier life, or a hand, left between two passes', () => {
  const play = pair({}, { a: { status: 'done' }, b: { status: 'done' } });
  play.tick(NOW + 1_000);
  expect(play.statuses('a', 'b')).toBe('open, open');
  play.tick(NOW + 2_000);
  expect(play.ops('cycle_iterate')).toHaveLength(1);
});

verifies('graph.cycle.decide', 'the end is said once; what a member does later makes it void', () => {
  const play = pair({ max_iterations: 1, guard: { TaskStatus: { task: 'b', status: 'failed' } } });
  pass(play);
  expect(decision(play)).toBe('ended: guard-false');
  play.move((view, options) => abandonTask(view, 'z', options));
  play.tick(play.now + 1);
  expect(play.ops('cycle_end')).toHaveLength(1);
  expect(codeOf(() => play.move((view, options) => doneTask(view, 'b', options)))).toBe('none');
});
