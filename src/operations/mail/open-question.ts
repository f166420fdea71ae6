import { asksPerson } from '#core/graph/asks-person.js';
import { lastRunOf } from '#core/graph/attempts.js';
import { lastWordsOf } from '#core/graph/last-words.js';
import type { Task } from '#core/graph/task.js';
import { isUnreported } from '#core/graph/unreported.js';
import { type Conversation, isPersonId } from '#core/mail/conversation.js';
import type { Context } from '#operations/operation.js';

/** Open conversation with a person about this task, in which its run asks, or that is itself the question. */
export async function askedOfPerson(context: Pick<Context, 'mail'>, id: string): Promise<Conversation | undefined> {
  const open = await (await context.mail()).open();
  return open.find(({ openedBy, taskId, recipient }) => (openedBy === id || taskId === id) && isPersonId(recipient));
}

/**
 * Text of the question that a person can answer now, in any of its forms; empty if the run left no words, undefined if
 * it asks nothing.
 */
export async function openQuestion(context: Pick<Context, 'mail'>, task: Task): Promise<string | undefined> {
  const conversation = await askedOfPerson(context, task.id);
  if (conversation !== undefined) {
    const [first] = await (await context.mail()).messages(conversation.id, { after: 0, limit: 1 });
    return first?.body ?? '';
  }
  if (asksPerson(task)) return task.checkpoint ?? '';
  return isUnreported(task) && lastRunOf(task) !== undefined ? (lastWordsOf(task) ?? '') : undefined;
}
