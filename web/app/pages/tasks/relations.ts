import type { LayoutEdge } from '#core/insight/layout.js';

/**
 * Maximum number of edges to reduce: the search costs edges times reach, and a graph with more edges is only an
 * overview.
 */
const EDGES_MOST = 3_000;

/**
 * Leaves out transitive edges: if c depends on b and b on a, drawing a → c adds lines without information. Only the
 * drawing omits them; a task still lists all its dependencies.
 */
export function withoutImplied(
  edges: readonly LayoutEdge[],
  layerOf: ReadonlyMap<string, number>,
): readonly LayoutEdge[] {
  if (edges.length > EDGES_MOST) return edges;
  const after = new Map<string, string[]>();
  for (const { from, to, back } of edges) if (!back) after.set(from, [...(after.get(from) ?? []), to]);
  const layer = (id: string) => layerOf.get(id) ?? 0;
  const hasDetour = ({ from, to }: LayoutEdge): boolean => {
    const visited = new Set((after.get(from) ?? []).filter((id) => id !== to && layer(id) < layer(to)));
    for (const id of visited) {
      for (const next of after.get(id) ?? []) {
        if (next === to) return true;
        if (layer(next) < layer(to)) visited.add(next); // a set may grow during iteration
      }
    }
    return false;
  };
  return edges.filter((edge) => edge.back || layer(edge.to) - layer(edge.from) < 2 || !hasDetour(edge));
}

/** The task with all its ancestors and descendants. */
export function related(id: string, edges: readonly LayoutEdge[]): ReadonlySet<string> {
  const before = new Map<string, string[]>();
  const after = new Map<string, string[]>();
  for (const { from, to } of edges) {
    before.set(to, [...(before.get(to) ?? []), from]);
    after.set(from, [...(after.get(from) ?? []), to]);
  }
  return new Set([...reach(id, before), ...reach(id, after)]);
}

function reach(start: string, next: ReadonlyMap<string, readonly string[]>): Set<string> {
  const visited = new Set([start]);
  for (const id of visited) for (const other of next.get(id) ?? []) visited.add(other); // a set grows while it is walked
  return visited;
}
