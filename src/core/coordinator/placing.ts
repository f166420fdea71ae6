import type { BaseDecision } from '#core/coordinator/decision.js';
import { ErrandKind } from '#core/coordinator/errand.js';
import type { Part } from '#core/coordinator/part.js';
import type { Placed } from '#core/coordinator/placement.js';
import type { Tick } from '#core/coordinator/tick.js';
import { type Placement, placeTask, proposePlacement } from '#core/graph/place.js';
import type { Task } from '#core/graph/task.js';

/** The question where a task belongs. */
export const PLACE = new ErrandKind<Placed>('place');

export interface WithPlacing {
  /** A model may be asked where new tasks belong. */
  readonly placing: boolean;
}

interface PlaceDecision extends BaseDecision {
  /** `ask-place`: a model is asked; a later round hears of it. */
  readonly do: 'place' | 'ask-place';
  readonly task: string;
}

type PlacingTick = Tick<WithPlacing, PlaceDecision>;

export const places: Part<WithPlacing, PlaceDecision> = { none: { placing: false }, decide: place };

/**
 * Phase 2.9: tasks that wait for their place get it: from a model where one may be asked, else by rules. A question that
 * failed releases the task where it stands.
 */
function place(tick: PlacingTick): void {
  for (const id of [...tick.graph.unplaced()].sort()) {
    const task = tick.graph.task(id);
    if (!task) continue;
    const proposal = tick.facts.placing ? askModel(tick, task) : byRules(tick, task, 'It had no place yet');
    if (!proposal) continue;
    const plan = placeTask(tick.graph, id, proposal.place, tick.now);
    tick.want({ do: 'place', task: id, reason: proposal.reason, events: tick.act(plan) });
  }
}

interface Proposal {
  readonly place: Placement;
  readonly reason: string;
}

function byRules(tick: PlacingTick, task: Task, reason: string): Proposal {
  return { place: proposePlacement(tick.graph, task), reason };
}

/** What came back; undefined while nothing has. */
function askModel(tick: PlacingTick, task: Task): Proposal | undefined {
  const { errands } = tick.facts;
  const key = PLACE.key(task.id);
  const answer = PLACE.answer(errands, key);
  if (answer?.of === 'place') {
    if (answer.byRules === undefined) return { place: answer, reason: 'A model said where it belongs' };
    return byRules(tick, task, `Rules said where it belongs, as no model did: ${answer.byRules}`);
  }
  if (answer) return { place: {}, reason: 'The question where it belongs failed: it stands where it was put' };
  if (!errands.underWay.has(key))
    tick.want({ do: 'ask-place', task: task.id, reason: 'A model is asked where it belongs', events: [] });
  return undefined;
}
