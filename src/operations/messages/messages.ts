/**
 * `msg send|list|read|poll`, and what of it the graph is told.
 * @packageDocumentation
 */
import * as z from 'zod/mini';
import { taskOf } from '#core/graph/task-of.js';
import { checkedBody, type NewMessage, PRIORITIES, taskConversation, taskReader } from '#core/messages/message.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { committed, number, text } from '#operations/shapes.js';
import { argsOf, deliverMessages } from './deliver.js';
import { fitting, isUnread, messagesShape, shown } from './shapes.js';
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
