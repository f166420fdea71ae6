import { readiness } from '#core/graph/ready.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { byId } from './brief.js';
import { type Coordination, type Obstacle, obstacleOf } from './coordination.js';
import type { Standstill } from './standstill.js';

/** All obstacles of a graph, each cause once: told of the first of its tasks. Looks at ready tasks alone. */
export function obstacles(view: GraphView, coordination: Coordination, now: number): readonly Standstill[] {
  const byCause = new Map<string, { readonly obstacle: Obstacle; readonly tasks: Task[] }>();
  for (const id of view.candidates()) {
    const task = view.task(id);
    const obstacle = task && obstacleOf(task, coordination);
    if (task === undefined || obstacle === undefined) continue;
    if (coordination.waitsForTrust(task) || !readiness(view, id, now).ready) continue;
    const known = byCause.get(obstacle.cause);
    if (known) known.tasks.push(task);
    else byCause.set(obstacle.cause, { obstacle, tasks: [task] });
  }
  return [...byCause.values()].flatMap(({ obstacle: { cause, code }, tasks }): Standstill[] => {
    const [task] = tasks.sort(byId);
    const command = task && obstacleOf(task, coordination)?.command;
    if (task === undefined || command === undefined) return [];
    const which = tasks.length === 1 ? 'It is ready' : `It and ${tasks.length - 1} more are ready`;
    const kind = code === 'executor' ? 'executor' : 'service';
    return [{ task, kind, text: `${which}, but ${cause}`, since: task.created_at, command }];
  });
}
