import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { GraphContext } from '#operations/contexts.js';
import { followUntil } from '#operations/follow-until.js';

/**
 * Waits until the coordinator has settled a run that has recorded its result, before its task is taken away: otherwise
 * finished work would be lost. Without a coordinator, settling was attempted before the command. Errors: `task_running`
 * on timeout.
 */
export async function settleFirst(context: GraphContext, id: string): Promise<void> {
  if (context.coordinator?.() === undefined) return;
  const store = await context.graph();
  const holder = (await store.view()).task(id);
  const run = holder?.status === 'in-progress' ? holder.assigned : undefined;
  if (run === undefined || (await (await context.runs()).state(run)) !== 'ended') return;
  const isSettled = async () => {
    const task = (await store.view()).task(id);
    return task?.status !== 'in-progress' || task.assigned !== run;
  };
  if (await followUntil(store, isSettled, SURFACE_LIMITS.settleFirstMs)) return;
  throw new TroupeError('task_running', {
    what: `${run} has ended, and its work on ${id} is being checked and merged.`,
    hint: `Wait for it: \`troupe show ${id}\` tells when it is over.`,
    details: { id, run },
  });
}
