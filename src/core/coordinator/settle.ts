import type { Decision } from '#core/coordinator/decision.js';
import { reap } from '#core/coordinator/reap.js';
import { type ErrandAnswer, type RunFact, UNKNOWN_PROVIDERS } from '#core/coordinator/snapshot.js';
import { Tick } from '#core/coordinator/tick.js';
import { EVERY_COMMAND } from '#core/graph/commands.js';
import type { GraphView } from '#core/graph/view.js';

/**
 * What becomes of one run that has ended while no service was up, by the rules of the service. Nothing when its task has
 * moved on: then somebody else has settled it.
 */
export function settleOne(
  view: GraphView,
  run: RunFact,
  answers: ReadonlyMap<string, ErrandAnswer>,
  now: number,
): Decision[] {
  const task = view.task(run.taskId);
  const holds = task?.assigned === run.id && task.fence === run.fence;
  if (!holds || (task.status !== 'in-progress' && task.status !== 'waiting')) return [];
  const errands = { underWay: new Set<string>(), answers };
  const tick = new Tick(
    {
      view,
      runs: [run],
      maxAgents: 0,
      nextRun: 1,
      paused: true,
      providers: UNKNOWN_PROVIDERS,
      trust: EVERY_COMMAND,
      errands,
    },
    now,
  );
  reap(tick);
  return tick.decisions;
}
