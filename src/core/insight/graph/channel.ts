import { addTo } from '#core/insight/gathering.js';
import { numberAt } from '#kernel/numbers.js';

/** A line in the channel between two rows, with its columns above and below. */
export interface Wire {
  readonly net: number;
  readonly tops: readonly number[];
  readonly bottoms: readonly number[];
  /** For one half of a split wire: the column that joins both halves. */
  readonly seam?: number;
}

/** A wire with the track of its horizontal part; undefined for a straight one. */
export interface Routed extends Level {
  readonly track: number | undefined;
}

export interface Route {
  readonly wires: readonly Routed[];
  readonly tracks: number;
  /** Nets that could not be routed. */
  readonly stuck: readonly number[];
}

interface Level extends Wire {
  /** Columns between which its horizontal part runs. */
  readonly from: number;
  readonly to: number;
}

/**
 * Channel routing: assigns a track to every wire such that no two share a cell except at crossings. If a wire ends in
 * the column where another begins, it runs above that one. Wires with cyclic constraints are split in two and joined in
 * a free column that is not among `passed`.
 */
export function routeChannel(wires: readonly Wire[], width: number, passed: readonly number[] = []): Route {
  const straight: Routed[] = [];
  let levels: Level[] = [];
  for (const wire of wires) {
    const level = levelOf(wire);
    if (level.from === level.to) straight.push({ ...level, track: undefined });
    else levels.push(level);
  }
  const columns = new Set([...passed, ...wires.flatMap((wire) => [...wire.tops, ...wire.bottoms])]);
  const stuck: number[] = [];
  const order: Level[] = [];
  while (levels.length > 0) {
    const { ordered, caught } = inOrder(levels);
    order.push(...ordered);
    const first = caught.find((level) => level.tops.length > 0 && level.bottoms.length > 0);
    if (first === undefined) break;
    const others = caught.filter((level) => level !== first);
    const column = freeColumn((first.from + first.to) >> 1, columns, width);
    if (column === undefined) stuck.push(first.net);
    else {
      columns.add(column);
      order.push(levelOf({ net: first.net, tops: first.tops, bottoms: [], seam: column }));
      others.push(levelOf({ net: first.net, tops: [], bottoms: first.bottoms, seam: column }));
    }
    levels = others;
  }
  const placed: { level: Level; track: number }[] = [];
  for (const level of order) {
    let track = 0;
    for (const other of placed) {
      if (level.from <= other.level.to && other.level.from <= level.to) track = Math.max(track, other.track + 1);
    }
    placed.push({ level, track });
  }
  return {
    wires: [...straight, ...placed.map(({ level, track }): Routed => ({ ...level, track }))],
    tracks: Math.max(0, ...placed.map(({ track }) => track + 1)),
    stuck,
  };
}

function levelOf(wire: Wire): Level {
  let [from, to] = [wire.seam ?? Number.POSITIVE_INFINITY, wire.seam ?? Number.NEGATIVE_INFINITY];
  for (const columns of [wire.tops, wire.bottoms]) {
    for (const column of columns) {
      from = Math.min(from, column);
      to = Math.max(to, column);
    }
  }
  return { ...wire, from, to };
}

/** Orders the wires from upper to lower tracks with few crossings; `caught` are those with cyclic constraints. */
function inOrder(levels: readonly Level[]): { ordered: Level[]; caught: Level[] } {
  const endingAt = new Map<number, number[]>();
  levels.forEach((level, index) => {
    for (const column of level.bottoms) addTo(endingAt, column, index);
  });
  const below = levels.map((level, index) =>
    level.tops.flatMap((column) => endingAt.get(column) ?? []).filter((other) => other !== index),
  );
  const above = levels.map(() => 0);
  for (const others of below) for (const other of others) above[other] = numberAt(above, other) + 1;
  const score = levels.map((level) => levels.reduce((sum, other) => sum + preference(level, other), 0));
  const unplaced = new Set(levels.keys());
  const ordered: Level[] = [];
  for (;;) {
    let best: number | undefined;
    for (const index of unplaced) {
      if (above[index] === 0 && (best === undefined || numberAt(score, index) < numberAt(score, best))) best = index;
    }
    const level = best === undefined ? undefined : levels[best];
    if (best === undefined || level === undefined) break;
    unplaced.delete(best);
    ordered.push(level);
    for (const other of below[best] ?? []) above[other] = (above[other] ?? 1) - 1;
    for (const index of unplaced) score[index] = numberAt(score, index) - preference(levels[index] ?? level, level);
  }
  return { ordered, caught: [...unplaced].flatMap((index) => levels[index] ?? []) };
}

/** Difference in crossings; negative if `level` should run above `other`. */
function preference(level: Level, other: Level): number {
  if (level.to < other.from || other.to < level.from) return 0;
  return crossingsOf(level, other) - crossingsOf(other, level);
}

/** Number of crossings if the first wire runs above the second. */
function crossingsOf(upper: Level, lower: Level): number {
  const through = (columns: readonly number[], level: Level) =>
    columns.filter((column) => column > level.from && column < level.to).length;
  return through(lower.tops, upper) + through(upper.bottoms, lower);
}

function freeColumn(near: number, columns: ReadonlySet<number>, width: number): number | undefined {
  for (let step = 0; step < width; step++) {
    for (const column of [near + step, near - step]) {
      if (column >= 0 && column < width && !columns.has(column)) return column;
    }
  }
  return undefined;
}
