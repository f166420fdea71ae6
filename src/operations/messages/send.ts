/**
 * `msg send|list|read|poll`, and what of it the graph is told.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import { taskOf } from '#core/graph/task-of.js';
import { checkedBody, type NewMessage, PRIORITIES, taskConversation, taskReader } from '#core/messages/message.js';
import { operation } from '#operations/operation.js';
import { committed, text } from '#operations/shapes.js';
import { argsOf, deliverMessages } from './deliver.js';
import { whoCalls } from './who.js';

/** Keeps a message and tells the graph of it: a task that waits for one goes on at once. */
export const send = operation({
  name: 'msg.send',
  input: z.strictObject({
    id: z.string(),
    text: z.string(),
    from: text,
    priority: z.optional(z.enum(PRIORITIES)),
  }),
  output: z.object({
    status: z.literal('queued'),
    conversation_id: z.string(),
    message_id: z.string(),
    number: z.number(),
    ...committed,
  }),
  async run(context, input) {
    const store = await context.graph();
    taskOf(await store.view(), input.id);
    const who = await whoCalls(context, input.from);
    const message: NewMessage = {
      id: context.request.requestId ?? context.freshId(),
      conversation: taskConversation(input.id),
      sender: who.sender,
      sender_name: who.name,
      speaks_for: who.reader,
      body: checkedBody(input.text),
      priority: input.priority ?? 'normal',
      created_at: context.clock.now(),
    };
    const messages = await context.messages();
    const to = { task: input.id, holder: taskReader(input.id) };
    const kept = await messages.send(message, to, argsOf(input.id, { from: who.name, kind: who.kind }));
    const entries = await deliverMessages(context);
    const view = await store.view();
    const task = view.task(input.id);
    return {
      status: 'queued' as const,
      conversation_id: kept.conversation,
      message_id: kept.id,
      number: kept.number,
      ...(task ? { task } : {}),
      seq: view.seq,
      events: entries.map(({ seq, op, task_id }) => ({ seq, op, ...(task_id === undefined ? {} : { task_id }) })),
    };
  },
});
