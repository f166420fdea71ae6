import { type GraphNode, isTask, isTerminal } from '#core/graph/task.js';

/** The edges of a graph that is read in. */
export interface EdgesBetween {
  /** Who comes after each id. */
  readonly after: ReadonlyMap<string, string[]>;
  /** The tasks that come after an unfinished one: where nothing goes round, none of them is free. */
  readonly held: Set<string>;
}

/** Found in one walk: to look each task's predecessors up in the graph takes longer than all else of its reading. */
export function edgesBetween(nodes: readonly GraphNode[]): EdgesBetween {
  const after = new Map<string, string[]>();
  const unfinished: string[] = [];
  for (const node of nodes) {
    if (!isTask(node)) continue;
    if (!isTerminal(node.status)) unfinished.push(node.id);
    for (const predecessor of node.after ?? []) {
      const list = after.get(predecessor);
      if (!list) after.set(predecessor, [node.id]);
      else if (list.at(-1) !== node.id) list.push(node.id); // the same edge twice stands side by side
    }
  }
  const held = new Set<string>();
  for (const id of unfinished) for (const dependent of after.get(id) ?? []) held.add(dependent);
  return { after, held };
}
