import * as z from 'zod/mini';
import { taskOf } from '#core/graph/task-of.js';
import { taskConversation } from '#core/messages/message.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { text } from '#operations/shapes.js';
import { isUnread } from './shapes.js';
import { whoCalls } from './who.js';

/** Whether there is something new for whoever asks: `ok` is false, and the exit code 1, when there is not. */
export const poll = operation({
  name: 'msg.poll',
  input: z.strictObject({ id: z.string(), actor: text }),
  output: z.object({ ok: z.boolean(), task_id: z.string(), unread: z.number() }),
  async run(context, input) {
    taskOf(await (await context.graph()).view(), input.id);
    const who = await whoCalls(context, input.actor);
    const messages = await context.messages();
    const conversation = taskConversation(input.id);
    const cursor = await messages.cursor(who.reader, conversation);
    const found = await messages.list(conversation, { after: cursor, limit: LIMITS.messagesListed });
    const unread = found.filter((message) => isUnread(message, who, cursor)).length;
    return { ok: unread > 0, task_id: input.id, unread };
  },
});
