import type { LayoutEdge } from '#core/insight/layers.js';

/** A task with everything it waits for and everything that waits for it, directly or through others. */
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
  const seen = new Set([start]);
  for (const id of seen) for (const other of next.get(id) ?? []) seen.add(other); // a set grows while it is walked
  return seen;
}
