import { isHiddenTask } from '#core/graph/meta.js';
import { isTask, isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { compareText } from '#kernel/order.js';

export interface SelectionOptions {
  /** Only components that contain these ids. */
  readonly ids?: readonly string[] | undefined;
  /** Includes components in which everything is finished. */
  readonly finished: boolean;
  /** Includes internal tasks that `isHiddenTask` hides. */
  readonly internal: boolean;
  /** Filter for the remaining tasks. */
  readonly matches: (task: Task) => boolean;
}

export interface TaskSelection {
  /** Sorted by id. */
  readonly tasks: readonly Task[];
  /** Number of all tasks, and of those omitted as finished components or internal tasks. */
  readonly total: number;
  readonly finished: number;
  readonly internal: number;
}

/** Selects the tasks to draw. Reads the graph once. */
export function selectTasks(view: GraphView, { ids, finished, internal, matches }: SelectionOptions): TaskSelection {
  const all: Task[] = [];
  for (const node of view.nodes()) if (isTask(node)) all.push(node);
  all.sort((left, right) => compareText(left.id, right.id));
  const named = new Set(ids);
  const eligible = all.filter((task) => internal || named.has(task.id) || !isHiddenTask(view, task));
  const trees = treesOf(eligible);
  const requestedTrees = trees.filter((tree) => {
    if (named.size > 0) return tree.some((task) => named.has(task.id));
    return finished || !tree.every(isOver);
  });
  const requestedTasks = new Set(requestedTrees.flat());
  const visible = eligible.filter((task) => requestedTasks.has(task));
  return {
    tasks: visible.filter(matches),
    total: all.length,
    finished: named.size > 0 ? 0 : eligible.length - visible.length,
    internal: all.length - eligible.length,
  };
}

/** A failure needs attention, so a component with one is not finished. */
function isOver(task: Task): boolean {
  return isTerminal(task.status) && task.status !== 'failed';
}

/** Connected components of the tasks. */
function treesOf(tasks: readonly Task[]): Task[][] {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const beside = new Map<string, string[]>(tasks.map((task) => [task.id, []]));
  for (const { id, after } of tasks) {
    for (const other of after ?? []) {
      beside.get(id)?.push(other);
      beside.get(other)?.push(id);
    }
  }
  const visited = new Set<string>();
  const trees: Task[][] = [];
  for (const { id: start } of tasks) {
    if (visited.has(start)) continue;
    const tree: Task[] = [];
    const pending = [start];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const task = byId.get(id);
      if (task === undefined || visited.has(id)) continue;
      visited.add(id);
      tree.push(task);
      pending.push(...(beside.get(id) ?? []));
    }
    trees.push(tree);
  }
  return trees;
}
