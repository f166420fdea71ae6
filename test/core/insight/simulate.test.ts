import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Entry } from '#core/graph/event.js';
import { readiness } from '#core/graph/ready.js';
import { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import { EventQueue } from '#core/insight/heaps.js';
import { parseScenario, type Scenario } from '#core/insight/scenario.js';
import { simulate } from '#core/insight/simulate.js';
import { mass } from '../../mass.js';
import { verifies } from '../../verifies.js';
import type { TaskFields } from '../graph/graph.js';
import { codeOf, NOW } from '../graph/graph.js';

const HOUR = 3_600_000;
const task = (id: string, fields: TaskFields = {}): Task => ({
  kind: 'task',
  id,
  title: id,
  status: 'open',
  ...fields,
});
const play = (tasks: readonly Task[], scenario: Scenario = {}) => simulate(tasks, scenario, { now: NOW });

/** Layers of tasks, each after two of the layer before. */
function layered(count: number, width: number): Task[] {
  return Array.from({ length: count }, (_, number) => {
    const base = Math.floor(number / width) * width - width;
    const after = base < 0 ? [] : [`t${base + (number % width)}`, `t${base + ((number * 7) % width)}`];
    return task(`t${number}`, after.length > 0 ? { after } : {});
  });
}

/** Replays what was committed and checks each step against the graph it was made on. */
function expectSound(tasks: readonly Task[], entries: readonly Entry[]): void {
  const graph = new GraphState();
  graph.load(tasks, 0);
  graph.settle();
  const holders = new Map<string, string>();
  for (const entry of entries) {
    const id = entry.task_id ?? '';
    if (entry.op === 'claim') {
      const at = Date.parse(entry.timestamp);
      expect(readiness(graph, id, at).reasons, `${id} was started`).toEqual([]);
      const fence = (graph.task(id)?.fence ?? 0) + 1;
      expect(holders.has(`${id}/${fence}`)).toBe(false);
      holders.set(`${id}/${fence}`, entry.actor ?? '');
    }
    if (entry.op === 'done' || entry.op === 'fail') expect(graph.task(id)?.assigned).toBe(entry.actor);
    graph.apply(entry);
  }
}

describe('what comes out', () => {
  test('a chain takes the sum, a fan the longest, as many at once as there are agents', () => {
    const chain = [task('a'), task('b', { after: ['a'] }), task('c', { after: ['b'], estimate: { hours: 2 } })];
    expect(play(chain)).toMatchObject({
      ended: 'finished',
      runs: 3,
      tookMs: 2 * HOUR + 20 * 60_000,
      statuses: { done: 3 },
    });
    const fan = ['a', 'b', 'c', 'd', 'e'].map((id) => task(id));
    expect(play(fan, { agents: 5 })).toMatchObject({ tookMs: 10 * 60_000, atOnce: { most: 5, average: 5 } });
    expect(play(fan, { agents: 2 })).toMatchObject({ tookMs: 30 * 60_000, atOnce: { most: 2 } });
  });

  test('rules by id and by tag, the first that fits', () => {
    const tasks = [task('review-a', { tags: ['slow'] }), task('b', { tags: ['slow'] }), task('c')];
    const script = [
      { match: 'rev*w-*', takes: '1h', result: 'failed' as const, cost: 0.5 },
      { match: 'tag:slow', takes: '3h', cost: 0.25 },
    ];
    expect(play(tasks, { script })).toMatchObject({ tookMs: 3 * HOUR, cost: 0.75, statuses: { failed: 1, done: 2 } });
  });

  test('cycles go round, runs die and are tried again, what cannot begin is told', () => {
    const cycle = [task('a', { after: ['b'], cycle_config: { max_iterations: 2 } }), task('b', { after: ['a'] })];
    expect(play(cycle)).toMatchObject({ runs: 6, statuses: { done: 2 } });
    const dying = play([task('a')], { script: [{ match: '*', takes: '1m', dies: 1 }] });
    expect(dying).toMatchObject({ deaths: 5, statuses: { failed: 1 } });
    const stuck = play([task('a', { after: ['b'] }), task('b', { after: ['a'] })]);
    expect(stuck).toMatchObject({ ended: 'stuck', left: ['a', 'b'], runs: 0 });
  });

  test('a cap on money ends a run that would need more than is left', () => {
    const result = play(
      ['a', 'b', 'c'].map((id) => task(id)),
      { usd_total: 1, script: [{ match: '*', cost: 0.4 }] },
    );
    expect(result).toMatchObject({ ended: 'finished', cost: 1, statuses: { done: 2, failed: 1 } });
  });

  test('runs add tasks, up to their limit', () => {
    const creates = [{ title: 'More', exec: 'true' }];
    expect(play([task('a')], { script: [{ match: 'a', creates }] })).toMatchObject({ runs: 2, statuses: { done: 2 } });
  });

  test('what cannot be used is refused with the place', () => {
    for (const bad of [
      { agents: 0 },
      { script: [{ takes: '5m' }] },
      { script: [{ match: '*', takes: 'soon' }] },
      { speed: 2 },
      7,
    ])
      expect(
        codeOf(() => parseScenario(bad)),
        JSON.stringify(bad),
      ).toBe('bad_input');
    expect(parseScenario(null)).toEqual({});
  });
});

verifies('sim.run', 'the same seed gives the same log, another seed another', () => {
  const script = [{ match: '*', takes: '1m..30m', fails: 0.2, dies: 0.2 }];
  const run = (seed: number) => JSON.stringify(play(layered(60, 6), { seed, script, crash: 0.1 }).entries);
  expect(run(7)).toBe(run(7));
  expect(run(8)).not.toBe(run(7));
});

verifies(
  'sim.run',
  'whatever crashes and dies: one holder a fence, nothing begins too early, nothing is left behind',
  () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        fc.double({ min: 0, max: 0.4, noNaN: true }),
        (seed, agents, crash) => {
          const tasks = layered(40, 5);
          const script = [{ match: '*', takes: '1m..1h', fails: 0.1, dies: crash / 2 }];
          const result = play(tasks, { seed, agents, crash, script });
          expectSound(tasks, result.entries);
          expect(result.ended).toBe('finished');
          expect(result.atOnce.most).toBeLessThanOrEqual(agents);
        },
      ),
      { numRuns: mass(25, 60) },
    );
  },
);

const COUNT = mass(1_000, 10_000);

verifies('sim.run', `${COUNT} tasks and ${COUNT / 10} agents, with crashes`, () => {
  const tasks = layered(COUNT, COUNT / 10);
  const scenario: Scenario = {
    seed: 3,
    agents: COUNT / 10,
    crash: 0.01,
    script: [{ match: '*', takes: '1m..30m', fails: 0.05, dies: 0.05 }],
  };
  const result = play(tasks, scenario);
  expect(result.ended).toBe('finished');
  expect(result.runs).toBeGreaterThan(COUNT);
  expect(result.deaths).toBeGreaterThan(COUNT / 100);
  expect(result.crashes).toBeGreaterThan(10);
});

test('the queue hands out what happens by time, then by when it was added', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(20)), (moments) => {
      const queue = new EventQueue<number>();
      for (const [index, at] of moments.entries()) queue.add(at, index);
      const wanted = moments
        .map((at, index) => ({ at, index }))
        .sort((left, right) => left.at - right.at || left.index - right.index);
      expect([...queue.take(100)]).toEqual(wanted.map(({ index }) => index));
    }),
  );
});
