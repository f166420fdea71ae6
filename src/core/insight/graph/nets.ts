import { addTo } from '#core/insight/gathering.js';
import type { PictureEdge } from '#core/insight/picture.js';
import { countUp, numberOf } from '#kernel/numbers.js';

/** Edges drawn as one line with many ends: every source is joined to every target. */
export interface Net {
  sources: string[];
  targets: string[];
}

/**
 * Bundles edges into nets without implying any edge that does not exist: each net is a complete bipartite set. An edge
 * is bundled at its end with the higher degree: a report after ten steps is one merging line, a plan before ten steps
 * one splitting line.
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

/** Combines stars with equal ends into one net. */
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
