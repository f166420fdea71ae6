import type { RunFact } from '#core/coordinator/snapshot.js';
import { registeredBy } from '#core/graph/artifacts.js';
import type { Task } from '#core/graph/task.js';
import { reportOf } from '#core/graph/unmerged.js';

/**
 * How a run that is over ended, as far as its task goes; whoever settles one asks here. `silent`: its client ended well and
 * reported nothing, no check decided, and it registered nothing. A change in its worktree is looked at later.
 */
export type Ending = 'finished' | 'silent' | 'failed';

export function endingOf(run: RunFact, task: Task): Ending {
  if (run.ended === 'stopped') return 'failed';
  const { result } = run;
  const checked = result?.check === undefined || result.check.code === 0;
  // A run that reported its task is judged by that, and by the check that followed; no last word of it counts more.
  if (reportOf(task)) return checked ? 'finished' : 'failed';
  if (run.ended !== undefined) return 'failed';
  // Its last word was written before it exited: whatever ended it after that takes nothing back.
  const well = result?.outcome === 'succeeded' ? checked : run.exit?.code === 0;
  if (!well) return 'failed';
  const shows = result?.check !== undefined || registeredBy(task) === run.fence;
  return run.silentEnd === 'ask' && !shows ? 'silent' : 'finished';
}
