import type { Task } from '#core/graph/task.js';
import type { Context } from '#operations/operation.js';
import type { RunStatus } from '#ports/run-host.js';

const ALIVE: readonly RunStatus[] = ['starting', 'working', 'stopping'];

/**
 * Which of these tasks a run is at work on, by facts of this moment: what the coordinator of this process watches, else what
 * folders and processes say. That a task is claimed is no proof of it.
 */
export async function tasksAtWork(context: Context, tasks: Iterable<Task>): Promise<ReadonlySet<string>> {
  const claimed = [...tasks].filter((task) => task.status === 'in-progress' && task.assigned !== undefined);
  if (claimed.length === 0) return new Set();
  const coordinator = context.coordinator?.();
  if (coordinator) {
    const alive = new Set(
      coordinator.agents().flatMap(({ id, task_id, status }) => (ALIVE.includes(status) ? [`${id} ${task_id}`] : [])),
    );
    return new Set(claimed.filter(({ id, assigned }) => alive.has(`${assigned} ${id}`)).map(({ id }) => id));
  }
  const runs = await context.runs();
  const working = new Set<string>();
  for (const { id, assigned = '' } of claimed) if ((await runs.state(assigned)) === 'at-work') working.add(id);
  return working;
}
