import path from 'node:path';
import { expect, test } from 'vitest';
import { drawGraph } from '#core/insight/draw-graph.js';
import { drawTree } from '#core/insight/draw-tree.js';
import { routeChannel, type Wire } from '#core/insight/graph/channel.js';
import type { Line } from '#core/insight/picture.js';
import { randomFrom } from '#kernel/random.js';
import { anyTasks } from '../graph/any-tasks.js';
import { graphText, pictureOf, treeText } from './drawing.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');

/** Always the same wires: some straight, some into the column of another, some that come from or go to one side alone. */
function anyWires(seed: number): { wires: Wire[]; width: number; passed: number[] } {
  const next = randomFrom(seed);
  const below = (most: number) => Math.floor(next() * most);
  const width = 8 + below(14);
  const [tops, bottoms] = [shuffled(), shuffled()];
  function shuffled(): number[] {
    const columns = Array.from({ length: width }, (_, column) => column);
    return columns
      .map((column) => ({ column, rank: next() }))
      .sort((left, right) => left.rank - right.rank)
      .map(({ column }) => column);
  }
  const wires = Array.from({ length: 2 + below(5) }, (_, net): Wire => {
    const sides = below(8);
    return {
      net,
      tops: sides === 0 ? [] : tops.splice(0, 1 + below(2)),
      bottoms: sides === 1 ? [] : bottoms.splice(0, 1 + below(2)),
    };
  });
  return { wires: wires.filter((wire) => wire.tops.length + wire.bottoms.length > 1), width, passed: tops.slice(0, 1) };
}

test('wires between two rows take the tracks they were found to take well', async () => {
  const lines = Array.from({ length: 60 }, (_, seed) => {
    const { wires, width, passed } = anyWires(seed + 1);
    const route = routeChannel(wires, seed % 4 === 3 ? Math.max(...wires.flatMap(columnsOf)) + 1 : width, passed);
    const told = route.wires.map(
      ({ net, tops, bottoms, from, to, track = 'straight', seam }) =>
        `  ${net}: ${tops} to ${bottoms}, ${from}..${to}, ${track}${seam === undefined ? '' : `, broken at ${seam}`}`,
    );
    return [`== ${route.tracks} tracks, stuck ${route.stuck}, passed ${passed}`, ...told].join('\n');
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'channels.txt'));
});

const columnsOf = ({ tops, bottoms }: Wire): number[] => [...tops, ...bottoms];

test('two wires that change places need a column of their own, and are stuck without one', () => {
  const wires: Wire[] = [
    { net: 0, tops: [0], bottoms: [1] },
    { net: 1, tops: [1], bottoms: [0] },
  ];
  expect(routeChannel(wires, 3)).toEqual({
    wires: [
      { net: 0, tops: [0], bottoms: [], seam: 2, from: 0, to: 2, track: 0 },
      { net: 1, tops: [1], bottoms: [0], from: 0, to: 1, track: 1 },
      { net: 0, tops: [], bottoms: [1], seam: 2, from: 1, to: 2, track: 2 },
    ],
    tracks: 3,
    stuck: [],
  });
  expect(routeChannel(wires, 2)).toMatchObject({ wires: [{ net: 1, track: 0 }], stuck: [0] });
  expect(routeChannel(wires, 3, [2])).toMatchObject({ wires: [{ net: 1, track: 0 }], stuck: [0] });
});

/** Cycles in cycles, edges across many rows, and hardly room for a box beside another. */
function crowd(seed: number): { id: string; title: string; after: string[] }[] {
  const next = randomFrom(seed);
  const count = 6 + (seed % 9);
  return Array.from({ length: count }, (_, number) => ({
    id: `n${number}`,
    title: `n${number}`,
    after: Array.from({ length: 1 + (seed % 3) }, () => `n${Math.floor(next() * count)}`),
  }));
}

test.each([0, 1, 2])('crowded graphs at any width look as they were found good (%i)', async (file) => {
  const lines = Array.from({ length: 8 }, (_, number) => {
    const seed = 1 + file * 8 + number;
    const width = 20 + ((seed * 7) % 40);
    const picture = pictureOf(crowd(seed), { all: true, critical_path: seed % 2 === 0 });
    return [`== ${seed}, ${width} wide`, ...graphText(picture, width), '', ...treeText(picture, width + 8)].join('\n');
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, `crowded.${file}.txt`));
});

test('a tree says in every width what it has room for', async () => {
  const tasks = [
    { id: 'plan', title: 'Plan the whole of it', status: 'done' as const },
    { id: 'write', title: 'Write a long chapter', after: ['plan', 'write'], cycle_config: { max_iterations: 3 } },
    { id: 'read', title: 'Read', after: ['plan', 'ghost'], not_before: '2026-03-21T12:00:00.000Z' },
    { id: 'join', title: 'Join what was written and read', after: ['write', 'read', 'plan'] },
    { id: 'end', title: 'End', after: ['join', 'plan'] },
  ];
  const picture = pictureOf(tasks, { all: true, critical_path: true });
  const lines = Array.from({ length: 24 }, (_, step) => {
    const width = 22 + 2 * step;
    return [`== ${width} wide`, ...treeText(picture, width)].join('\n');
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'widths.tree.txt'));
});

test('an arc over more than forty lines, or more arcs than there is room for, is said in words', async () => {
  const chain = Array.from({ length: 46 }, (_, number) => ({
    id: `c${number}`,
    title: '',
    after: [...(number === 0 ? [] : [`c${number - 1}`]), ...(number > 30 ? [`c${number - (number % 9) - 2}`] : [])],
  }));
  const far = chain.map((task) =>
    ['c41', 'c42', 'c43'].includes(task.id) ? { ...task, after: [...task.after, 'c1'] } : task,
  );
  const lines = [40, 64, 100].map((width) => [`== ${width} wide`, ...treeText(pictureOf(far), width)].join('\n'));
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'arcs.tree.txt'));
});

test('larger graphs of any shape, in colour and out of it, look as they were found good', async () => {
  const lines = [3, 4, 5, 6].map((seed) => {
    const picture = pictureOf(anyTasks(seed, 14), { all: true, critical_path: true });
    return [`== ${seed}`, ...graphText(picture, 40 + seed * 12, seed % 2 === 0)].join('\n');
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'larger.txt'));
});

/** Each part of a line with the tone it has, which becomes a colour: `<line>╰─`. */
const toned = (lines: readonly Line[]) =>
  lines.map((line) => line.map(({ text, tone }) => (tone === undefined ? text : `<${tone}>${text}`)).join('|'));

test('every part of a drawing has the tone that it was found to have', async () => {
  const states = ['open', 'done', 'failed', 'in-progress', 'waiting', 'blocked', 'abandoned'] as const;
  const tasks = [
    ...states.map((status, number) => ({
      id: status,
      title: `Is ${status}`,
      status,
      after: number > 1 ? ['open'] : [],
    })),
    { id: 'loop', title: 'Goes round', after: ['open', 'loop', 'back'], cycle_config: { max_iterations: 3 } },
    { id: 'back', title: 'Leads back', after: ['loop', 'ghost'], estimate: { hours: 9 } },
    { id: 'way', title: 'A long way', after: ['back', 'waiting', 'open'], estimate: { hours: 9 }, paused: true },
    { id: 'end', title: 'End', after: ['way', 'failed', 'open'], not_before: '2026-03-22T00:00:00.000Z' },
  ];
  const lines = [true, false].flatMap((critical_path) => {
    const picture = pictureOf(tasks, { all: true, critical_path });
    const options = { width: 70, unicode: critical_path };
    return [...toned(drawGraph(picture, options)), '', ...toned(drawTree(picture, options)), ''];
  });
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(path.join(GOLDEN, 'tones.txt'));
});
