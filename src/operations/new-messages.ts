import * as z from 'zod/mini';
import { promptTime } from '#core/coordinator/prompt-time.js';
import { taskConversation, taskReader } from '#core/mail/message.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { WorkContext } from './contexts.js';
import { participantOf } from './participant.js';

/** Field of the answer to a report: messages about the task that its run has not had yet. */
export const newMessagesField = {
  messages: z.optional(z.readonly(z.array(z.object({ from: z.string(), at: z.string(), text: z.string() })))),
};

interface Delivered {
  readonly messages?: readonly { readonly from: string; readonly at: string; readonly text: string }[];
}

/**
 * Delivers the unread messages of the caller's own task with the answer to its report, and marks them as read: a run
 * that works for long hears of them without asking. Those from before its prompt were in it. Nothing for people. A
 * report never fails because messages cannot be read.
 */
export async function newMessages(context: WorkContext, id: string): Promise<Delivered> {
  const { caller } = context;
  if (caller.kind !== 'run' || caller.taskId !== id) return {};
  try {
    return await delivered(context, id);
  } catch (error) {
    if (error instanceof TroupeError) return {};
    throw error;
  }
}

async function delivered(context: WorkContext, id: string): Promise<Delivered> {
  const mail = await context.mail();
  const [talk] = await mail.unreadTalk(1, id);
  const last = talk?.messages.at(-1);
  if (talk === undefined || last === undefined) return {};
  const { task } = await participantOf(context, undefined);
  if (task === undefined) return {};
  const { markRead } = await import('#core/mail/turns.js');
  await mail.change(() => markRead({ reader: taskReader(id), conversation: taskConversation(id), to: last.number }));
  const messages = talk.messages
    .filter(({ created_at: at }) => at > promptTime(task))
    .map(({ sender_name: from, created_at: at, body: text }) => ({ from, at: timestamp(at), text }));
  return messages.length === 0 ? {} : { messages };
}
