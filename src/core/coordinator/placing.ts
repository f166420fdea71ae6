import * as z from 'zod/mini';
import { type Placement, placeTask, proposePlacement } from '#core/graph/place.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { LIMITS } from '#kernel/limits.js';
import { type Block, objectIn } from '#kernel/question.js';
import { ErrandKind } from './errand.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** The question where a task belongs. */
export const PLACE = new ErrandKind<PlacementAnswer>('place');

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
  if (answer) return { place: {}, reason: 'The placement failed: it stays where it was added' };
  if (!errands.underWay.has(key))
    tick.want({ do: 'ask-place', task: task.id, reason: 'A model is asked where it belongs', events: [] });
  return undefined;
}

const ids = z.array(z.string().check(z.maxLength(LIMITS.idCharacters))).check(z.maxLength(LIMITS.placedEdges));
const ANSWER = z.strictObject({ after: ids, before: ids });

/** Where a model thinks a task belongs. `byRules`: why no model says it, so that rules do. */
export interface PlacementAnswer {
  readonly of: 'place';
  readonly after: readonly string[];
  readonly before: readonly string[];
  readonly byRules?: string;
}

/** What a model is shown of a new task and of the others. */
export function placementBlocks(view: GraphView, task: Task): Block[] {
  const { title, description = '', inputs = [], deliverables = [], place_near: near = [] } = task;
  const about = [
    `${task.id}  ${title}`,
    description,
    ...(inputs.length > 0 ? [`reads: ${inputs.join(', ')}`] : []),
    ...(deliverables.length > 0 ? [`produces: ${deliverables.join(', ')}`] : []),
    ...(near.length > 0 ? [`wanted near: ${near.join(', ')}`] : []),
  ];
  return [
    { label: 'the new task', text: about.join('\n').trim(), most: LIMITS.promptReasonBytes },
    { label: 'the other tasks', text: others(view, task.id).join('\n'), most: LIMITS.placingBytes },
  ];
}

/** The place in an answer; undefined when it holds none. What it names is checked when it is done. */
export function placementIn(answer: string): PlacementAnswer | undefined {
  const place = objectIn(answer, (value) => ANSWER.safeParse(value).data);
  return place && { of: 'place', ...place };
}

/** Work that is not over, with what it comes after. */
function others(view: GraphView, id: string): string[] {
  const rows: string[] = [];
  for (const { id: other } of view.nodes()) {
    if (rows.length >= LIMITS.placingRows) break;
    const task = view.task(other);
    if (!task || other === id || isTerminal(task.status)) continue;
    const after = task.after?.length ? `  after ${task.after.join(', ')}` : '';
    rows.push(`${other}  ${task.title}${after}`);
  }
  return rows;
}
