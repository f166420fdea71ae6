import type { Entry } from '#core/graph/event.js';
import { nodeLine } from '#core/graph/line.js';
import type { GraphState } from '#core/graph/state.js';
import type { GraphNode } from '#core/graph/task.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { newestTime } from './merge-graphs.js';
import { mergeNode, sameNode } from './merge-node.js';

/** Versions of each of these nodes after every event that touched it, oldest first, in file form. */
export function versionsOf(
  lines: readonly (readonly Entry[])[],
  ids: ReadonlySet<string>,
  begin: (line: readonly Entry[]) => GraphState,
): Map<string, GraphNode[]> {
  const versions = new Map<string, GraphNode[]>();
  for (const line of lines) {
    const state = begin(line);
    for (const id of ids) {
      const node = state.node(id);
      if (node) versions.set(id, [...(versions.get(id) ?? []), asWritten(node)]);
    }
    for (const entry of line) {
      state.apply(entry);
      for (const { id } of entry.patch) {
        const node = ids.has(id) ? state.node(id) : undefined;
        if (node) versions.set(id, [...(versions.get(id) ?? []), asWritten(node)]);
      }
    }
  }
  return versions;
}

/** Returns a node in file form, without omitted values. */
export function asWritten(node: GraphNode): GraphNode {
  return JSON.parse(nodeLine(node)) as GraphNode;
}

/**
 * Whether a line can only result from a hand edit. Not if some history contains that version of the node, or the merge
 * driver could have produced it from two versions.
 */
export function isByHand(line: GraphNode, versions: readonly GraphNode[]): boolean {
  if (versions.some((version) => sameNode(version, line))) return false;
  const newest = [...versions].reverse();
  let tries = 0;
  for (const ours of newest) {
    for (const theirs of newest) {
      if (ours === theirs) continue;
      for (const base of [...newest, undefined]) {
        if (++tries > WORK_LIMITS.mergeTries) return true;
        const touched = { ours: () => newestTime(ours), theirs: () => newestTime(theirs) };
        if (sameNode(asWritten(mergeNode({ base, ours, theirs }, touched).node), line)) return false;
      }
    }
  }
  return true;
}
