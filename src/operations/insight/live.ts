import * as z from 'zod/mini';
import type { Task } from '#core/graph/task.js';
import { isLiveStatus } from '#core/runs/run-status.js';
import type { Context } from '#operations/operation.js';

/**
 * Schema of `live` in results: true, false, or `finishing` for a run that has recorded its end and is being settled.
 */
export const liveShape = z.union([z.boolean(), z.literal('finishing')]);

/**
 * Tasks with a run at work or just finished, by current facts: those of the coordinator in this process, otherwise of
 * folders and processes. A claim alone is no proof.
 */
export async function tasksAtWork(
  context: Pick<Context, 'coordinator' | 'runs'>,
  tasks: Iterable<Task>,
): Promise<ReadonlyMap<string, true | 'finishing'>> {
  const claimed = [...tasks].filter((task) => task.status === 'in-progress' && task.assigned !== undefined);
  const live = new Map<string, true | 'finishing'>();
  if (claimed.length === 0) return live;
  const agents = (await context.coordinator?.().agents()) ?? [];
  const watched = new Map(agents.map((row) => [`${row.id} ${row.task_id}`, row.status]));
  const runs = await context.runs();
  for (const { id, assigned = '' } of claimed) {
    const status = watched.get(`${assigned} ${id}`);
    if (status === 'dead') continue; // the record of its shell is no outcome of the work
    const state = await runs.state(assigned);
    if (state === 'ended') live.set(id, 'finishing');
    else if (state === 'at-work' || (status !== undefined && isLiveStatus(status))) live.set(id, true);
  }
  return live;
}
