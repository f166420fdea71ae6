/**
 * The forest of the same graph, with arcs beside it.
 * @packageDocumentation
 */

import { netsOf } from '#core/insight/graph/nets.js';
import type { Picture, PictureEdge, PictureNode } from '#core/insight/picture.js';
import { countUp, numberOf } from '#kernel/numbers.js';

/** A task with its position in the tree. */
export interface Branch {
  readonly node: PictureNode;
  /** Whether each of its ancestors below the root, and finally the task itself, has a later sibling. */
  readonly more: readonly boolean[];
}

export interface Forest {
  /** In display order. */
  readonly branches: readonly Branch[];
  /** Edges that are not branches. */
  readonly extra: readonly PictureEdge[];
}

/**
 * Builds a forest: each task is placed below the predecessor displayed last, so all its predecessors are above it. A
 * branch deeper than `depthMost` continues as a separate tree.
 */
export function forestOf({ nodes, edges }: Picture, depthMost: number): Forest {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const after = new Map<string, string[]>(nodes.map((node) => [node.id, []]));
  const open = new Map<string, number>();
  for (const { from, to, back } of edges) {
    if (back === true) continue;
    after.get(from)?.push(to);
    countUp(open, to);
  }
  const branches: Branch[] = [];
  const parentOf = new Map<string, string>();
  const roots = nodes.filter((node) => !open.has(node.id)).map((node) => node.id);
  for (const root of roots) {
    const pending: { id: string; more: readonly boolean[] }[] = [{ id: root, more: [] }];
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const { id, more } = next;
      const node = byId.get(id);
      if (node === undefined) continue;
      branches.push({ node, more });
      const children: string[] = [];
      for (const other of after.get(id) ?? []) {
        const openEdges = numberOf(open, other) - 1;
        open.set(other, openEdges);
        if (openEdges === 0) children.push(other);
      }
      if (more.length >= depthMost) {
        roots.push(...children);
        continue;
      }
      for (const child of children) parentOf.set(child, id);
      pending.push(
        ...children.map((child, at) => ({ id: child, more: [...more, at < children.length - 1] })).reverse(),
      );
    }
  }
  return { branches, extra: edges.filter(({ from, to, back }) => back === true || parentOf.get(to) !== from) };
}

/** Edges beside the tree: a lane that joins all its sources to all its targets. */
export interface Arc {
  readonly back: boolean;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
}

export interface Arcs {
  readonly arcs: readonly Arc[];
  /** Edges named instead of drawn: a task is an end of at most one arc, so no line is ambiguous. */
  readonly named: readonly PictureEdge[];
}

/** Selects the edges to draw as arcs, short ones first. */
export function arcsOf(edges: readonly PictureEdge[], lineOf: ReadonlyMap<string, number>, most: number): Arcs {
  const candidates: Arc[] = [];
  for (const back of [false, true]) {
    const own = edges.filter((edge) => (edge.back === true) === back && edge.from !== edge.to);
    for (const net of netsOf(own)) candidates.push({ back, ...net });
  }
  const span = ({ sources, targets }: Arc): number => {
    let [least, last] = [Number.POSITIVE_INFINITY, 0];
    for (const id of [...sources, ...targets]) {
      least = Math.min(least, numberOf(lineOf, id));
      last = Math.max(last, numberOf(lineOf, id));
    }
    return last - least;
  };
  const sorted = candidates.map((arc) => ({ arc, length: span(arc) })).sort((a, b) => a.length - b.length);
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
