import { type GraphNode, isTask, isTerminal } from '#core/graph/task.js';

/** Edges of a graph that is being loaded. */
export interface EdgesBetween {
  /** Dependents of each id. */
  readonly after: ReadonlyMap<string, string[]>;
  /** Dependents of unfinished tasks: outside cycles, none of them is free. */
  readonly held: Set<string>;
}

/** Computed in one pass: looking up each task's predecessors in the graph would take longer than all other loading. */
export function edgesBetween(nodes: readonly GraphNode[]): EdgesBetween {
  const after = new Map<string, string[]>();
  const unfinished: string[] = [];
  for (const node of nodes) {
    if (!isTask(node)) continue;
    if (!isTerminal(node.status)) unfinished.push(node.id);
    for (const predecessor of node.after ?? []) {
      const list = after.get(predecessor);
      if (!list) after.set(predecessor, [node.id]);
      else if (list.at(-1) !== node.id) list.push(node.id); // duplicate edges of one node are adjacent
    }
  }
  const held = new Set<string>();
  for (const id of unfinished) for (const dependent of after.get(id) ?? []) held.add(dependent);
  return { after, held };
}
