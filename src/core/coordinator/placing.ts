import * as z from 'zod/mini';
import { type Placement, placeTask, proposePlacement } from '#core/graph/place.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { type Block, objectIn } from '#kernel/question.js';
import { ErrandKind } from './errand.js';
import type { BaseDecision, Part, Tick } from './tick.js';

/** Asks a model for the place of a task in the graph. */
export const PLACE = new ErrandKind<PlacementAnswer>('place');

export interface WithPlacing {
  /** A model may be asked to place new tasks. */
  readonly placing: boolean;
}

interface PlaceDecision extends BaseDecision {
  /** `ask-place`: asks a model; a later pass receives the answer. */
  readonly do: 'place' | 'ask-place';
  readonly task: string;
}

type PlacingTick = Tick<WithPlacing, PlaceDecision>;

export const places: Part<WithPlacing, PlaceDecision> = { none: { placing: false }, decide: place };

/**
 * Phase 2.9: places tasks that wait for a place: by a model if one may be asked, else by rules. If the question fails,
 * the task is released where it was added.
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

/** Proposal from the answer of the model; undefined until there is one. */
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

const ids = z
  .array(z.string().check(z.maxLength(WORK_LIMITS.idCharacters)))
  .check(z.maxLength(WORK_LIMITS.placedEdges));
const ANSWER = z.strictObject({ after: ids, before: ids });

/** Place of a task as proposed by a model. `byRules`: the reason why no model answered and rules apply. */
export interface PlacementAnswer {
  readonly of: 'place';
  readonly after: readonly string[];
  readonly before: readonly string[];
  readonly byRules?: string;
}

/** Prompt blocks that show a model the new task and the other tasks. */
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
    { label: 'the new task', text: about.join('\n').trim(), most: TEAM_LIMITS.promptReasonBytes },
    { label: 'the other tasks', text: others(view, task.id).join('\n'), most: WORK_LIMITS.placingBytes },
  ];
}

/** Parses the place in an answer; undefined if it contains none. The ids are checked when the task is placed. */
export function placementIn(answer: string): PlacementAnswer | undefined {
  const place = objectIn(answer, (value) => ANSWER.safeParse(value).data);
  return place && { of: 'place', ...place };
}

/** Tasks that are not terminal, with their predecessors. */
function others(view: GraphView, id: string): string[] {
  const rows: string[] = [];
  for (const { id: other } of view.nodes()) {
    if (rows.length >= WORK_LIMITS.placingRows) break;
    const task = view.task(other);
    if (!task || other === id || isTerminal(task.status)) continue;
    const after = task.after?.length ? `  after ${task.after.join(', ')}` : '';
    rows.push(`${other}  ${task.title}${after}`);
  }
  return rows;
}
