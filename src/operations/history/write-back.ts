import { progressOf } from '#core/graph/epic.js';
import { isTask, type Task } from '#core/graph/task.js';
import { FORGE, type ForgeFact, type ForgePlace } from '#core/imports/forge-state.js';
import { IMPORTED } from '#core/imports/origin.js';
import { factEvent } from '#core/imports/pull-facts.js';
import { commentMark, commentText, wantedState } from '#core/imports/write-back.js';
import { sha256 } from '#kernel/hash.js';
import { FORGE_LIMITS } from '#kernel/limits/forge.js';
import type { Context } from '#operations/operation.js';
import type { Forge } from '#ports/forge.js';

interface Told {
  readonly id: string;
  readonly issue: number;
  readonly what: 'comment' | 'closed' | 'opened';
}

const HASH_CHARACTERS = 16;

/** Number of the issue that a task was made from, if it is one of this repository. */
export function issueOf(task: Task, { forge, first }: ForgePlace): number | undefined {
  const origin = IMPORTED.of(task);
  if (origin?.tracker !== forge || origin.source !== '' || !origin.key.startsWith(`${first}#`)) return undefined;
  const number = Number(origin.key.slice(first.length + 1));
  return Number.isSafeInteger(number) && number > 0 ? number : undefined;
}

/**
 * Tells each issue the status of its task: one comment, which is edited, and its state. What was told is kept after
 * each step; a step that was interrupted finds its own comment by its mark.
 */
export async function writeBack(
  context: Pick<Context, 'graph'>,
  forge: Forge,
  {
    place,
    close,
    landing,
  }: { readonly place: ForgePlace; readonly close: boolean; readonly landing: ReadonlySet<string> },
): Promise<{ told: Told[]; gone: string[]; more: boolean }> {
  const store = await context.graph();
  const view = await store.view();
  const told: Told[] = [];
  const gone: string[] = [];
  const keep = async (id: string, change: Parameters<typeof factEvent>[1]) => {
    await store.commit((at) => {
      const task = at.task(id);
      return { events: task ? [factEvent(task, change)] : [], result: undefined };
    });
  };
  const tasks = [...view.nodes()].filter(isTask).flatMap((task) => {
    const issue = issueOf(task, place);
    return issue === undefined ? [] : [{ task, issue }];
  });
  tasks.sort((left, right) => left.issue - right.issue);
  for (const { task, issue } of tasks) {
    const { id } = task;
    const fact = FORGE.of(task) ?? {};
    if (fact.gone) {
      gone.push(id);
      continue;
    }
    const text = commentText(task, progressOf(view, task));
    const said = text === undefined ? undefined : sha256(text).slice(0, HASH_CHARACTERS);
    const state = close ? wantedState(task, landing.has(id)) : undefined;
    if ((said === undefined || said === fact.said) && state === undefined) continue;
    if (told.length >= FORGE_LIMITS.writes) return { told, gone, more: true };
    if (text !== undefined && said !== fact.said) {
      const comment = await say(forge, { task, issue, text, fact });
      await keep(id, comment === undefined ? { gone: true } : { comment, said });
      if (comment === undefined) {
        gone.push(id);
        continue;
      }
      told.push({ id, issue, what: 'comment' });
    }
    if (state === undefined) continue;
    const done = await forge.close(issue, state);
    await keep(id, done ? { closed: state === 'open' ? undefined : true } : { gone: true });
    if (done) told.push({ id, issue, what: state === 'open' ? 'opened' : 'closed' });
    else gone.push(id);
  }
  return { told, gone, more: false };
}

/** Writes our comment or changes it; undefined if the issue is gone. A deleted comment is written again. */
async function say(
  forge: Forge,
  { task, issue, text, fact }: { task: Task; issue: number; text: string; fact: ForgeFact },
): Promise<string | undefined> {
  if (fact.comment !== undefined) {
    const changed = await forge.say(issue, text, fact.comment);
    if (changed !== undefined) return changed;
  }
  const mark = commentMark(task);
  const comments = await forge.comments(issue);
  if (comments === undefined) return undefined;
  const own = comments.find(({ isOwn, body }) => isOwn && body.includes(mark));
  if (own?.body === text) return own.id;
  return await forge.say(issue, text, own?.id);
}
