import type { Entry } from '#core/graph/event.js';
import { isTask, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

/** How a task came into a tree: it comes after the one above, is a part of it, or was made by one of its runs. */
export type TreeLink = 'after' | 'parent' | 'created';

export interface TreeNode {
  readonly task: Task;
  readonly depth: number;
  /** The task above; undefined for the root. */
  readonly above?: string;
  readonly link?: TreeLink;
}

/** Who worked on what, as the log tells: run → task. */
export function tasksOfRuns(entries: Iterable<Entry>): ReadonlyMap<string, string> {
  const runs = new Map<string, string>();
  for (const entry of entries) {
    const run = entry.op === 'spawn_agent' ? (entry.detail?.['run'] ?? entry.actor) : undefined;
    if (typeof run === 'string' && entry.task_id !== undefined) runs.set(run, entry.task_id);
  }
  return runs;
}

/**
 * A task and everything that grew from it, each once, the way down first, by id. Walks the whole graph once; needs no
 * stack, and ends on every cycle.
 */
export function treeOf(view: GraphView, root: Task, runs: ReadonlyMap<string, string>): TreeNode[] {
  const below = childrenOf(view, runs);
  const tree: TreeNode[] = [];
  const seen = new Set<string>();
  const pending: { id: string; depth: number; above?: string; link?: TreeLink }[] = [{ id: root.id, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { id, ...place } = next;
    const task = view.task(id);
    if (seen.has(id) || task === undefined) continue;
    seen.add(id);
    tree.push({ task, ...place });
    const children = [...(below.get(id) ?? [])].sort(([left], [right]) => (left < right ? 1 : -1));
    for (const [child, link] of children) pending.push({ id: child, depth: place.depth + 1, above: id, link });
  }
  return tree;
}

function childrenOf(view: GraphView, runs: ReadonlyMap<string, string>): Map<string, Map<string, TreeLink>> {
  const below = new Map<string, Map<string, TreeLink>>();
  const add = (above: string | undefined, child: string, link: TreeLink) => {
    if (above === undefined || above === child) return;
    const children = below.get(above) ?? new Map<string, TreeLink>();
    if (!children.has(child)) children.set(child, link);
    below.set(above, children);
  };
  for (const node of view.nodes()) {
    if (!isTask(node)) continue;
    for (const before of node.after ?? []) add(before, node.id, 'after');
    add(node.parent, node.id, 'parent');
    if (node.created_by !== undefined) add(runs.get(node.created_by), node.id, 'created');
  }
  return below;
}
