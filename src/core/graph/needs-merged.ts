import { isMeta } from '#core/graph/meta.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';

/** Does it need files that have what was merged before it? Our own tasks about others read the graph, not files. */
export function needsMerged(view: GraphView, task: Task): boolean {
  return view.followsMerged(task.id) && !isMeta(view, task);
}
