import { expect } from 'vitest';
import { mass } from '../../mass.js';
import { verifies } from '../../verifies.js';
import { graphText, pictureOf, treeText, widest } from './drawing.js';
import { readGraph, readTree } from './reading.js';

/** Always the same numbers that look like any. */
function numbers(): () => number {
  let last = 7;
  return () => {
    last = (last * 1_103_515_245 + 12_345) & 0x7fffffff;
    return last / 0x7fffffff;
  };
}

const COUNT = mass(120, 1_000);
const CHAIN = mass(2_000, 10_000);
const KNOT = mass(400, 4_000);
const TREE = mass(5_000, 10_000);

const SHAPES: Readonly<Record<string, (index: number, count: number, next: () => number) => number[]>> = {
  chain: (index) => (index > 0 ? [index - 1] : []),
  'two before each': (index) => (index > 1 ? [index - 1, index - 2] : []),
  'fan-out': (index) => (index > 0 ? [0] : []),
  'fan-in': (index, count) => (index === count - 1 ? Array.from({ length: count - 1 }, (_, other) => other) : []),
  tree: (index) => (index > 0 ? [Math.floor((index - 1) / 3)] : []),
  near: (index, _, next) => (index > 6 ? [index - 1 - Math.floor(next() * 6), index - 1 - Math.floor(next() * 6)] : []),
  anywhere: (index, _, next) => (index > 0 ? [Math.floor(next() * index), Math.floor(next() * index)] : []),
  'cycles everywhere': (_, count, next) => [Math.floor(next() * count), Math.floor(next() * count)],
  ring: (index, count) => [(index + count - 1) % count],
  alone: () => [],
};

function tasksOf(name: string, count: number) {
  const next = numbers();
  return Array.from({ length: count }, (_, index) => ({
    id: `t${index}`,
    after: (SHAPES[name]?.(index, count, next) ?? []).map((other) => `t${other}`),
  }));
}

for (const name of Object.keys(SHAPES)) {
  verifies(
    ['graph.viz.text', 'graph.viz.graph'],
    `${COUNT} tasks, ${name}: every edge is told once, no other, within the width`,
    () => {
      const tasks = tasksOf(name, COUNT);
      const picture = pictureOf(tasks);
      const edges = tasks.flatMap((task) => [...new Set(task.after)].map((id) => `${id} ${task.id}`)).sort();
      const ids = tasks.map((task) => task.id).sort();
      const [graph, tree] = [graphText(picture), treeText(picture)];
      expect(widest(graph)).toBeLessThanOrEqual(100);
      expect(widest(tree)).toBeLessThanOrEqual(100);
      expect(readGraph(graph)).toEqual({ ids, edges });
      expect(readTree(tree)).toEqual({ ids, edges });
    },
  );
}

verifies(
  'graph.viz.graph',
  `${CHAIN} tasks in one chain, and ${KNOT} in cycles everywhere, are drawn as boxes without falling over`,
  () => {
    expect(graphText(pictureOf(tasksOf('chain', CHAIN))).length).toBeGreaterThan(3 * CHAIN);
    expect(graphText(pictureOf(tasksOf('cycles everywhere', KNOT))).length).toBeGreaterThan(KNOT);
  },
);

verifies(
  'graph.viz.text',
  `${TREE} tasks in one chain, and in cycles everywhere, are drawn as a tree without falling over`,
  () => {
    for (const name of ['chain', 'cycles everywhere']) {
      expect(treeText(pictureOf(tasksOf(name, TREE))).length).toBeGreaterThanOrEqual(TREE);
    }
  },
);
