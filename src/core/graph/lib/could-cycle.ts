import { LIMITS } from '#kernel/limits.js';

interface Edges {
  dependents(id: string): readonly string[];
  task(id: string): { readonly after?: readonly string[] } | undefined;
}

/**
 * May a cycle have come about because `id` now also comes after `fresh`? Looks from both ends at once and follows the side
 * that is smaller, so that a new task at the edge of a large graph costs next to nothing. Says yes when it would take
 * too long to be sure.
 */
export function couldCycle(graph: Edges, id: string, fresh: readonly string[]): boolean {
  if (fresh.includes(id)) return true;
  if (fresh.length === 0 || graph.dependents(id).length === 0) return false;
  const ahead = { seen: new Set([id]), edge: [id], next: (from: string) => graph.dependents(from) };
  const behind = { seen: new Set(fresh), edge: [...fresh], next: (from: string) => graph.task(from)?.after ?? [] };
  while (ahead.edge.length > 0 && behind.edge.length > 0) {
    const [side, other] = ahead.edge.length <= behind.edge.length ? [ahead, behind] : [behind, ahead];
    const reached: string[] = [];
    for (const from of side.edge) {
      for (const to of side.next(from)) {
        if (other.seen.has(to)) return true;
        if (side.seen.has(to)) continue;
        side.seen.add(to);
        reached.push(to);
      }
    }
    side.edge = reached;
    if (side.seen.size > LIMITS.cycleSearchTasks) return true;
  }
  return false;
}
