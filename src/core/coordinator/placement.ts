import * as z from 'zod/mini';
import type { Placed } from '#core/coordinator/snapshot.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { fenced } from '#kernel/fence.js';
import { firstObject } from '#kernel/first-object.js';
import { LIMITS } from '#kernel/limits.js';
import { redact } from '#kernel/secrets.js';
import { parseForeignObject } from '#kernel/strict-json.js';

const ids = z.array(z.string().check(z.maxLength(LIMITS.idCharacters))).check(z.maxLength(LIMITS.placedEdges));
const ANSWER = z.strictObject({ after: ids, before: ids });

/** What a model is asked about a new task: our words, then the task and the others as blocks of foreign text. */
export function placementPrompt(words: string, nonce: string, view: GraphView, task: Task): string {
  const { title, description = '', inputs = [], deliverables = [], place_near: near = [] } = task;
  const about = [
    `${task.id}  ${title}`,
    description,
    ...(inputs.length > 0 ? [`reads: ${inputs.join(', ')}`] : []),
    ...(deliverables.length > 0 ? [`brings forth: ${deliverables.join(', ')}`] : []),
    ...(near.length > 0 ? [`wanted near: ${near.join(', ')}`] : []),
  ];
  const blocks = [
    fenced(nonce, 'the new task', redact(about.join('\n').trim()), LIMITS.promptReasonBytes),
    fenced(nonce, 'the other tasks', redact(others(view, task.id).join('\n')), LIMITS.placingBytes),
  ];
  return `${words}\n\n${blocks.map(({ text }) => text).join('\n\n')}\n`;
}

/** The first whole object of an answer, when it is what was asked for; else undefined. What it names is checked when it is done. */
export function placementIn(answer: string): Placed | undefined {
  if (answer.length > LIMITS.modelAnswerCharacters) return undefined;
  const found = firstObject(answer);
  const parsed = ANSWER.safeParse(found === undefined ? undefined : parseForeignObject(found));
  return parsed.success ? { of: 'place', ...parsed.data } : undefined;
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
