import { conversations, type MailFact } from '#core/coordinator/conversations.js';
import type { ErrandAnswer } from '#core/coordinator/errand.js';
import { runs } from '#core/coordinator/reap.js';
import { type RunFact, USUAL_TERMS } from '#core/coordinator/snapshot.js';
import { Tick } from '#core/coordinator/tick.js';
import { EVERY_COMMAND } from '#core/graph/commands.js';
import type { GraphView } from '#core/graph/view.js';
import type { DecisionOf } from './tick.js';

/**
 * Decides about one run that ended while no service was up, by the rules of the service. Empty if its task has moved
 * on: then the run is settled already.
 */
export function settleOne(
  view: GraphView,
  run: RunFact,
  answers: ReadonlyMap<string, ErrandAnswer>,
  now: number,
  mail: ReadonlyMap<string, MailFact>,
): DecisionOf<typeof runs>[] {
  const task = view.task(run.taskId);
  const holdsClaim = task?.assigned === run.id && task.fence === run.fence;
  if (!holdsClaim || (task.status !== 'in-progress' && task.status !== 'waiting')) return [];
  const decisions: DecisionOf<typeof runs>[] = [];
  const facts = {
    view,
    runs: [run],
    paused: true,
    trust: EVERY_COMMAND,
    budget: undefined,
    terms: USUAL_TERMS,
    ...conversations.none,
    mail,
    ...runs.none,
    finishes: true,
    errands: { underWay: new Set<string>(), answers },
  };
  runs.decide(new Tick(facts, now, (decision) => decisions.push(decision)));
  return decisions;
}
