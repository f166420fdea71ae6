import { netsOf } from '../graph/nets.js';
import type { PictureEdge } from '../picture.js';

/** Edges beside the tree: a lane that joins all its sources to all its targets. */
export interface Arc {
  readonly back: boolean;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
}

export interface Arcs {
  readonly arcs: readonly Arc[];
  /** Edges that are said instead: a task is at the end of one arc at most, so that no line can be followed wrongly. */
  readonly named: readonly PictureEdge[];
}

/** Chooses which edges become arcs, short ones first. */
export function arcsOf(edges: readonly PictureEdge[], lineOf: ReadonlyMap<string, number>, most: number): Arcs {
  const wanted: Arc[] = [];
  for (const back of [false, true]) {
    const own = edges.filter((edge) => (edge.back === true) === back && edge.from !== edge.to);
    for (const net of netsOf(own)) wanted.push({ back, ...net });
  }
  const span = ({ sources, targets }: Arc): number => {
    let [least, last] = [Number.POSITIVE_INFINITY, 0];
    for (const id of [...sources, ...targets]) {
      least = Math.min(least, lineOf.get(id) ?? 0);
      last = Math.max(last, lineOf.get(id) ?? 0);
    }
    return last - least;
  };
  const sorted = wanted.map((arc) => ({ arc, length: span(arc) })).sort((a, b) => a.length - b.length);
  const used = new Set<string>();
  const arcs: Arc[] = [];
  const named: PictureEdge[] = [];
  for (const { arc, length } of sorted) {
    const fits = length <= most;
    const sources = fits ? arc.sources.filter((id) => !used.has(id)) : [];
    const targets = fits ? arc.targets.filter((id) => !used.has(id)) : [];
    const drawn = sources.length > 0 && targets.length > 0;
    if (drawn) arcs.push({ back: arc.back, sources, targets });
    const ends = new Set(drawn ? [...sources, ...targets] : []);
    for (const from of arc.sources) {
      for (const to of arc.targets) {
        if (!ends.has(from) || !ends.has(to)) named.push({ from, to, ...(arc.back ? { back: true } : {}) });
      }
    }
    for (const id of ends) used.add(id);
  }
  return { arcs, named };
}
