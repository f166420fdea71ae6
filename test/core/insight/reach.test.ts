import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { bottlenecks } from '#core/insight/bottlenecks.js';
import { isUnfinished } from '#core/insight/brief.js';
import { flowOf, furthestReaching } from '#core/insight/flow.js';
import { NumberHeap } from '#core/insight/heaps.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { verifies } from '../../verifies.js';
import { graphOf } from '../graph/graph.js';

const name = (number: number) => `t${String(number).padStart(3, '0')}`;

/** Enough for more beginnings than are counted at once. */
const MOST = 160;

/** Any graph at all: forward edges, back edges, edges to themselves, finished tasks. */
const anyGraph = fc
  .record({
    count: fc.integer({ min: 1, max: MOST }),
    edges: fc.array(fc.tuple(fc.nat(MOST - 1), fc.nat(MOST - 1)), { maxLength: 2 * MOST, size: 'max' }),
    cyclic: fc.boolean(),
    done: fc.array(fc.nat(MOST - 1), { maxLength: 8 }),
  })
  .map(({ count, edges, cyclic, done }) => {
    const after = new Map<number, string[]>();
    for (const [left, right] of edges) {
      const [to, from] = cyclic ? [left, right] : [Math.max(left, right), Math.min(left, right)];
      if (to >= count || from >= count || (!cyclic && to === from)) continue;
      after.set(to, [...(after.get(to) ?? []), name(from)]);
    }
    return graphOf(
      ...Array.from({ length: count }, (_, number) => ({
        id: name(number),
        status: done.includes(number) ? ('done' as const) : ('open' as const),
        after: after.get(number) ?? [],
      })),
    );
  });

/** The plain way: from every task walk over everything after it; members of one cycle all come after one another. */
function counted(view: GraphView): Map<string, number> {
  const tasks = [...view.nodes()].filter(isTask).filter(isUnfinished);
  const cycleOf = new Map(tasks.map((task) => [task, view.cyclesOf(task.id)[0]?.header]));
  const comesAfter = (task: Task, before: Task) =>
    task.after?.includes(before.id) || (cycleOf.get(task) !== undefined && cycleOf.get(task) === cycleOf.get(before));
  const after = new Map(tasks.map((task) => [task, tasks.filter((other) => comesAfter(other, task))]));
  const counts = new Map<string, number>();
  for (const start of tasks) {
    const seen = new Set([start]);
    const pending = [start];
    for (let next = pending.pop(); next; next = pending.pop()) {
      for (const other of after.get(next) ?? []) {
        if (seen.has(other)) continue;
        seen.add(other);
        pending.push(other);
      }
    }
    counts.set(start.id, seen.size - 1);
  }
  return counts;
}

verifies('graph.show.bottlenecks', 'the ten are exact on every shape, cycles too', () => {
  fc.assert(
    fc.property(anyGraph, (view) => {
      const expected = counted(view);
      const { bottlenecks: found } = bottlenecks(view);
      for (const row of found) expect(row.transitive_before, row.id).toBe(expected.get(row.id));
      const most = [...expected.values()]
        .filter((count) => count > 0)
        .sort((left, right) => right - left)
        .slice(0, SURFACE_LIMITS.bottlenecks);
      expect(found.map((row) => row.transitive_before)).toEqual(most);
    }),
    { numRuns: 150 },
  );
});

test('a search among some groups only finds the best of those', () => {
  fc.assert(
    fc.property(anyGraph, fc.array(fc.nat(MOST - 1), { minLength: 1, maxLength: MOST, size: 'max' }), (view, picks) => {
      const flow = flowOf(view, isUnfinished);
      if (flow.tasks.length === 0) return;
      const numbers = picks.map((pick) => pick % flow.tasks.length);
      const expected = counted(view);
      const best = Math.max(...numbers.map((number) => expected.get(flow.tasks[number]?.id ?? '') ?? 0));
      const groups = numbers.map((number) => flow.groupOf[number] ?? 0);
      expect(furthestReaching(flow, 1, groups)[0]?.tasks).toBe(best);
    }),
    { numRuns: 100 },
  );
});

test('more than 32 groups with more than 32 places each are counted apart', () => {
  const columns = Array.from({ length: 70 }, (_, column) =>
    Array.from({ length: 40 + (column % 3) }, (_, row) => ({
      id: `${name(column)}-${name(row)}`,
      after: row === 0 ? [] : [`${name(column)}-${name(row - 1)}`],
    })),
  );
  const flow = flowOf(graphOf(...columns.flat()), () => true);
  const found = furthestReaching(flow, 30).map(({ group, tasks }) => `${flow.tasks[group]?.id} ${tasks}`);
  expect(found.slice(0, 2)).toEqual(['t002-t000 41', 't005-t000 41']);
  expect(found.filter((row) => row.endsWith(' 41'))).toHaveLength(23);
  expect(found[23]).toBe('t001-t000 40');
});

test('the queue hands out in order', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), (numbers) => {
      const heap = new NumberHeap((left, right) => left - right);
      for (const number of numbers) heap.push(number);
      const out: number[] = [];
      for (let next = heap.pop(); next !== undefined; next = heap.pop()) out.push(next);
      expect(out).toEqual([...numbers].sort((left, right) => left - right));
    }),
  );
});

test('the members of one cycle count for one another, before anything is counted', () => {
  const ring = Array.from({ length: 8 }, (_, number) => ({
    id: `ring-${number}`,
    after: [`ring-${(number + 7) % 8}`],
  }));
  const fans = Array.from({ length: 40 }, (_, fan) => [
    { id: name(fan) },
    ...Array.from({ length: 5 }, (_, leaf) => ({ id: `${name(fan)}-${leaf}`, after: [name(fan)] })),
  ]);
  const { bottlenecks: found } = bottlenecks(graphOf(...fans.flat(), ...ring));
  expect(found.slice(0, 8).every((row) => row.id.startsWith('ring-') && row.transitive_before === 7)).toBe(true);
});
