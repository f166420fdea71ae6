import * as z from 'zod/mini';
import { isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { LIMITS } from '#kernel/limits.js';
import { type Block, objectIn } from '#kernel/question.js';

const ids = z.array(z.string().check(z.maxLength(LIMITS.idCharacters))).check(z.maxLength(LIMITS.placedEdges));
const ANSWER = z.strictObject({ after: ids, before: ids });

/** Where a model thinks a task belongs. `byRules`: why no model says it, so that rules do. */
export interface Placed {
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
    ...(deliverables.length > 0 ? [`brings forth: ${deliverables.join(', ')}`] : []),
    ...(near.length > 0 ? [`wanted near: ${near.join(', ')}`] : []),
  ];
  return [
    { label: 'the new task', text: about.join('\n').trim(), most: LIMITS.promptReasonBytes },
    { label: 'the other tasks', text: others(view, task.id).join('\n'), most: LIMITS.placingBytes },
  ];
}

/** The place in an answer; undefined when it holds none. What it names is checked when it is done. */
export function placementIn(answer: string): Placed | undefined {
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
