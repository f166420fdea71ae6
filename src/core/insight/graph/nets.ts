import { addTo } from '#core/insight/gathering.js';
import type { PictureEdge } from '#core/insight/picture.js';
import { countUp, numberOf } from '#kernel/numbers.js';

/** Tasks that all lead to the same tasks: one line with many ends. Every source is joined to every target. */
export interface Net {
  sources: string[];
  targets: string[];
}

/**
 * Shares lines between edges without ever telling an edge that is not there: each net joins all its sources to all its
 * targets. An edge goes along with the end that has more of them, so that a report behind ten steps is one merging line and
 * a plan before ten steps is one splitting line.
 */
export function netsOf(edges: readonly PictureEdge[]): Net[] {
  const leaving = new Map<string, number>();
  const arriving = new Map<string, number>();
  for (const { from, to } of edges) {
    countUp(leaving, from);
    countUp(arriving, to);
  }
  const splits = new Map<string, string[]>();
  const merges = new Map<string, string[]>();
  for (const { from, to } of edges) {
    const [stars, centre, end] =
      numberOf(leaving, from) >= numberOf(arriving, to) ? [splits, from, to] : [merges, to, from];
    addTo(stars, centre, end);
  }
  return [
    ...mergeStars(splits).map(({ centres, ends }): Net => ({ sources: centres, targets: ends })),
    ...mergeStars(merges).map(({ centres, ends }): Net => ({ sources: ends, targets: centres })),
  ];
}

/** Stars with the same ends are one net. */
function mergeStars(stars: ReadonlyMap<string, string[]>): { centres: string[]; ends: string[] }[] {
  const groups = new Map<string, { centres: string[]; ends: string[] }>();
  for (const [centre, ends] of stars) {
    const key = JSON.stringify([...ends].sort());
    const group = groups.get(key);
    if (group) group.centres.push(centre);
    else groups.set(key, { centres: [centre], ends });
  }
  return [...groups.values()];
}
