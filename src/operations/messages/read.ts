import * as z from 'zod/mini';
import { taskOf } from '#core/graph/task-of.js';
import { taskConversation } from '#core/messages/message.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { text } from '#operations/shapes.js';
import { fitting, isUnread, messagesShape, shown } from './shapes.js';
import { whoCalls } from './who.js';

/** What is new to whoever asks; the next time it no longer is. */
export const read = operation({
  name: 'msg.read',
  input: z.strictObject({ id: z.string(), actor: text }),
  output: z.object({ task_id: z.string(), messages: messagesShape }),
  async run(context, input) {
    taskOf(await (await context.graph()).view(), input.id);
    const who = await whoCalls(context, input.actor);
    const messages = await context.messages();
    const conversation = taskConversation(input.id);
    const cursor = await messages.cursor(who.reader, conversation);
    const found = fitting(await messages.list(conversation, { after: cursor, limit: LIMITS.messagesListed }));
    const last = found.at(-1);
    if (last) await messages.moveCursor(who.reader, conversation, last.number);
    const fresh = found.filter((message) => isUnread(message, who, cursor));
    return { task_id: input.id, messages: fresh.map((message) => shown(message, who, cursor)) };
  },
});
