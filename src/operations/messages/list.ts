import * as z from 'zod/mini';
import { taskOf } from '#core/graph/task-of.js';
import { taskConversation } from '#core/messages/message.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { number, text } from '#operations/shapes.js';
import { fitting, messagesShape, shown } from './shapes.js';
import { whoCalls } from './who.js';

/** The latest messages about a task, the oldest first. Nothing counts as read by that. */
export const list = operation({
  name: 'msg.list',
  input: z.strictObject({ id: z.string(), actor: text, limit: number }),
  output: z.object({ task_id: z.string(), messages: messagesShape, unread: z.number() }),
  async run(context, input) {
    taskOf(await (await context.graph()).view(), input.id);
    const who = await whoCalls(context, input.actor);
    const messages = await context.messages();
    const conversation = taskConversation(input.id);
    const limit = Math.max(1, Math.min(input.limit ?? LIMITS.messagesListed, LIMITS.messagesListed));
    const latest = [...(await messages.list(conversation, { limit }))].reverse();
    const cursor = await messages.cursor(who.reader, conversation);
    const rows = [...fitting(latest)].reverse().map((message) => shown(message, who, cursor));
    return { task_id: input.id, messages: rows, unread: rows.filter((row) => row.unread).length };
  },
});
