import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

/** How many tasks one run may make, and how far below the first one. */
export interface SeedLimits {
  readonly children: number;
  readonly depth: number;
}

/** Whether a run at this task could add any task at all; how many the other runs have made is another matter. */
export function mayAddTasks(view: GraphView, own: Task, { children, depth }: SeedLimits): boolean {
  return children > 0 && depthBelow(view, own, depth) <= depth;
}

/** How deep a task that `parent` makes would be; counted no further than one beyond `most`. */
export function depthBelow(view: GraphView, parent: Task | undefined, most: number): number {
  let depth = 1;
  for (let above = parent; above?.parent !== undefined && depth <= most; depth++) above = view.task(above.parent);
  return depth;
}
