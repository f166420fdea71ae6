import { drawGraph } from '#core/insight/draw-graph.js';
import { drawTree } from '#core/insight/draw-tree.js';
import { inReadingOrder, type Line, type Picture } from '#core/insight/picture.js';
import { cellsOf } from '#kernel/cells.js';
import { picturedGraph } from '#operations/insight/viz.js';
import type { TaskFields } from '../graph/graph.js';
import { graphOf, NOW } from '../graph/graph.js';

type Some = TaskFields & { id: string };

/** Graph of all these tasks, in the given order. */
export function pictureOf(
  tasks: readonly Some[],
  wishes: Parameters<typeof picturedGraph>[2] = { all: true },
): Picture {
  const view = graphOf(...tasks.map((task, index) => ({ created_at: timeOf(index), ...task })));
  return inReadingOrder(picturedGraph(view, NOW, wishes).picture);
}

const timeOf = (index: number): string => new Date(NOW - 1_000_000 + index).toISOString();

/** Tasks from their dependencies. */
export function tasksOf(edges: Readonly<Record<string, readonly string[]>>): Some[] {
  return Object.entries(edges).map(([id, after]) => ({ id, after }));
}

export const textOf = (lines: readonly Line[]): string[] =>
  lines.map((line) =>
    line
      .map((segment) => segment.text)
      .join('')
      .trimEnd(),
  );

export const graphText = (picture: Picture, width = 100, unicode = true): string[] =>
  textOf(drawGraph(picture, { width, unicode }));

export const treeText = (picture: Picture, width = 100, unicode = true): string[] =>
  textOf(drawTree(picture, { width, unicode }));

/** Width of the widest line in cells. */
export function widest(lines: readonly string[]): number {
  return Math.max(0, ...lines.map((line) => cellsOf(line)));
}
