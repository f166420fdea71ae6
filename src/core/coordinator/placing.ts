import type { Tick } from '#core/coordinator/tick.js';
import { type Placement, placeTask, proposePlacement } from '#core/graph/place.js';
import type { Task } from '#core/graph/task.js';

/** By which the question where a task belongs is known. */
export function placeKey(task: string): string {
  return `place ${task}`;
}

/**
 * Phase 2.9: tasks that wait for their place get it: from a model where one may be asked, else by rules. A question that
 * failed releases the task where it stands.
 */
export function place(tick: Tick): void {
  for (const id of [...tick.graph.unplaced()].sort()) {
    const task = tick.graph.task(id);
    if (!task) continue;
    const proposal = tick.snapshot.placing === true ? asked(tick, task) : byRules(tick, task, 'It had no place yet');
    if (!proposal) continue;
    const plan = placeTask(tick.graph, id, proposal.place, tick.now);
    tick.decisions.push({ do: 'place', task: id, reason: proposal.reason, events: tick.act(plan) });
  }
}

interface Proposal {
  readonly place: Placement;
  readonly reason: string;
}

function byRules(tick: Tick, task: Task, reason: string): Proposal {
  return { place: proposePlacement(tick.graph, task), reason };
}

/** What came back; undefined while nothing has. */
function asked(tick: Tick, task: Task): Proposal | undefined {
  const { errands } = tick.snapshot;
  const key = placeKey(task.id);
  const answer = errands?.answers.get(key);
  if (answer?.of === 'place') {
    if (answer.byRules === undefined) return { place: answer, reason: 'A model said where it belongs' };
    return byRules(tick, task, `Rules said where it belongs, as no model did: ${answer.byRules}`);
  }
  if (answer) return { place: {}, reason: 'The question where it belongs failed: it stands where it was put' };
  if (errands?.underWay.has(key) !== true)
    tick.decisions.push({ do: 'ask-place', task: task.id, reason: 'A model is asked where it belongs', events: [] });
  return undefined;
}
