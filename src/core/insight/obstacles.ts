import { readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { byId } from '#kernel/order.js';
import { type Coordination, obstacleOf } from './coordination.js';
import type { Standstill } from './standstill.js';

/** All obstacles of a graph, one per cause, reported for its first task. Examines only ready tasks. */
export function obstacles(view: GraphView, coordination: Coordination, now: number): readonly Standstill[] {
  const byCause = new Map<string, Task[]>();
  for (const id of view.candidates()) {
    const task = view.task(id);
    const cause = task && obstacleOf(task, coordination)?.cause;
    if (task === undefined || cause === undefined) continue;
    if (coordination.waitsForTrust(task) || !readiness(view, id, now).ready) continue;
    const tasks = byCause.get(cause);
    if (tasks) tasks.push(task);
    else byCause.set(cause, [task]);
  }
  return [...byCause].flatMap(([cause, tasks]): Standstill[] => {
    const [task] = tasks.sort(byId);
    const obstacle = task && obstacleOf(task, coordination);
    if (task === undefined || obstacle === undefined) return [];
    const which = tasks.length === 1 ? 'It is ready' : `It and ${tasks.length - 1} more are ready`;
    const kind = obstacle.code === 'executor' ? 'executor' : 'service';
    return [{ task, kind, text: `${which}, but ${cause}`, since: task.created_at, command: obstacle.command }];
  });
}
