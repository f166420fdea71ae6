import { expect } from 'vitest';
import { decide } from '#core/coordinator/parts.js';
import { toEntries } from '#core/graph/entries.js';
import { doneTask } from '#core/graph/moves.js';
import { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import { timestamp } from '#kernel/clock.js';
import { quietSnapshot } from '../core/coordinator/quiet-snapshot.js';
import { verifies } from '../verifies.js';

const NOW = Date.parse('2026-03-21T10:00:00.000Z');
const WIDTH = 50;

/** Layers of fifty, each task after two of the layer before. */
function graph(count: number): GraphState {
  const state = new GraphState(undefined, count);
  const tasks = Array.from({ length: count }, (_, number): Task => {
    const base = Math.floor(number / WIDTH) * WIDTH - WIDTH;
    const after = base < 0 ? [] : [`t${base + (number % WIDTH)}`, `t${base + ((number * 7) % WIDTH)}`];
    return { kind: 'task', id: `t${number}`, title: 'x', status: 'open', after, exec: 'true' };
  });
  state.load(tasks, 0);
  state.settle();
  return state;
}

/** The median of a change with all that a service does about it: microseconds. */
function costOfChange(count: number): number {
  const state = graph(count);
  const times: number[] = [];
  for (let number = 0; number < 300; number++) {
    const begun = process.hrtime.bigint();
    const plan = doneTask(state, `t${number}`, { now: NOW, by: { name: 'ann' } });
    for (const entry of toEntries(plan.events, { seq: state.seq, id: undefined }, timestamp(NOW), () => 'e'))
      state.apply(entry);
    const view = state.freeze();
    const ready = [...view.candidates()].length;
    const decisions = decide({ ...quietSnapshot(view), maxAgents: 4 }, NOW);
    times.push(Number(process.hrtime.bigint() - begun) / 1_000);
    expect([ready > 0, decisions.length]).toEqual([true, 4]);
  }
  return times.sort((left, right) => left - right)[times.length >> 1] ?? 0;
}

verifies('graph.perf', 'a change, what is ready then and a tick cost what changed, not the graph', () => {
  costOfChange(1_000);
  const small = costOfChange(1_000);
  const large = costOfChange(40_000);
  expect(large / small, `${small.toFixed(0)} µs at 1,000, ${large.toFixed(0)} µs at 40,000`).toBeLessThan(8);
});
