// `msg send|list|read|poll`: messages about a task.

import * as z from 'zod/mini';
import { promptTime } from '#core/coordinator/prompt-time.js';
import { taskOf } from '#core/graph/task-of.js';
import { checkedBody, type Message, PRIORITIES, taskConversation, taskReader } from '#core/mail/message.js';
import { talk } from '#core/mail/task-talk.js';
import { markRead } from '#core/mail/turns.js';
import { timestamp } from '#kernel/clock.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { participantOf } from '#operations/participant.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import { requestOf } from '#operations/request-of.js';
import { positive } from '#operations/row-numbers.js';
import { commitFields, eventRows, text } from '#operations/shapes.js';
import type { MailStore } from '#ports/mail-store.js';
import { openQuestion } from './open-question.js';

const messageShape = z.object({
  id: z.string(),
  /** Position in the conversation. */
  number: z.number(),
  from: z.string(),
  sender: z.string(),
  text: z.string(),
  priority: z.enum(PRIORITIES),
  at: z.string(),
  /** Unread by the caller. */
  unread: z.boolean(),
});
export const messagesShape = z.readonly(z.array(messageShape));

/** A listed message; `seen`: a run of the task has read or written it, or had it in its prompt. */
const listedShape = z.extend(messageShape, { seen: z.boolean() });

const READER = option('Who reads (default: you)', text, { value: 'NAME' });

/** Stores a message and relays it to the graph: a task that waits for a message continues at once. */
export const send = operation({
  name: 'msg.send',
  command: 'msg send',
  group: 'Messages',
  kind: 'write',
  forRuns: 'any',
  scope: 'member',
  summary: 'Send a message to whoever works on a task',
  examples: [
    'troupe msg send write-the-parser "the grammar has changed"',
    'troupe msg send write-the-parser "stop for a moment" --priority urgent --from ben',
  ],
  input: z.strictObject({
    id: TASK_ID,
    text: argument('The message text', z.string()),
    from: option('Who writes (default: you)', text, { value: 'NAME' }),
    priority: option('low, normal, high or urgent (default: normal)', z.optional(z.enum(PRIORITIES)), {
      value: 'WORD',
    }),
  }),
  output: z.object({
    status: z.literal('queued'),
    conversation_id: z.string(),
    message_id: z.string(),
    number: z.number(),
    ...commitFields,
  }),
  async run(context: WorkContext, input) {
    const store = await context.graph();
    taskOf(await store.view(), input.id);
    const participant = await participantOf(context, input.from);
    const request = requestOf(context);
    const message = {
      id: request.requestId,
      sender: participant.sender,
      sender_name: participant.name,
      speaks_for: participant.reader,
      body: checkedBody(input.text),
      priority: input.priority ?? 'normal',
      created_at: context.clock.now(),
    };
    const said = { task: input.id, message, kind: participant.kind };
    const number = await (await context.mail()).changeOnce(request, (view) => talk(view, said));
    const entries = await relayOutbox(context);
    const view = await store.view();
    const task = view.task(input.id);
    return {
      status: 'queued' as const,
      conversation_id: taskConversation(input.id),
      message_id: message.id,
      number,
      ...(task ? { task } : {}),
      seq: view.seq,
      events: eventRows(entries),
    };
  },
});

/** Lists the latest messages about a task, oldest first, without marking them as read. */
export const list = operation({
  name: 'msg.list',
  command: 'msg list',
  group: 'Messages',
  kind: 'read',
  summary: 'Show the messages about a task',
  examples: ['troupe msg list write-the-parser', 'troupe msg list write-the-parser --limit 5 --json'],
  input: z.strictObject({
    id: TASK_ID,
    limit: option('Only the latest N', positive, { value: 'N' }),
    before: option('Only those before this message', positive, { value: 'NUMBER' }),
    actor: READER,
  }),
  output: z.object({
    task_id: z.string(),
    messages: z.readonly(z.array(listedShape)),
    unread: z.number(),
    /** Question of its run that a person can answer now, empty if it left no words; null if it asks nothing. */
    asks: z.nullable(z.string()),
  }),
  async run(context: WorkContext, input) {
    const task = taskOf(await (await context.graph()).view(), input.id);
    const participant = await participantOf(context, input.actor);
    const mail = await context.mail();
    const conversation = taskConversation(input.id);
    const holder = taskReader(input.id);
    const seen = await mail.cursor(holder, conversation);
    const limit = Math.min(input.limit ?? TEAM_LIMITS.messagesListed, TEAM_LIMITS.messagesListed);
    const latest = [...(await latestBefore(mail, conversation, limit, input.before))].reverse();
    const cursor = await mail.cursor(participant.reader, conversation);
    const rows = [...fitting(latest)].reverse().map((message) => ({
      ...messageRow(message, participant, cursor),
      seen: message.number <= seen || message.speaks_for === holder || message.created_at <= promptTime(task),
    }));
    const unread = rows.filter((row) => row.unread).length;
    return { task_id: input.id, messages: rows, unread, asks: (await openQuestion(context, task)) ?? null };
  },
});

const readerInput = z.strictObject({ id: TASK_ID, actor: READER });

/** Returns the caller's unread messages and marks them as read. */
export const read = operation({
  name: 'msg.read',
  command: 'msg read',
  group: 'Messages',
  kind: 'write',
  forRuns: 'any',
  scope: 'member',
  summary: 'Show the new messages about a task and mark them read',
  examples: ['troupe msg read write-the-parser', 'troupe msg read write-the-parser --actor ben'],
  input: readerInput,
  output: z.object({ task_id: z.string(), messages: messagesShape }),
  async run(context: WorkContext, input) {
    const { mail, participant, conversation, cursor, messages } = await sinceRead(context, input);
    const page = fitting(messages);
    const last = page.at(-1);
    if (last) await mail.change(() => markRead({ reader: participant.reader, conversation, to: last.number }));
    const fresh = page.filter((message) => isUnread(message, participant, cursor));
    return { task_id: input.id, messages: fresh.map((message) => messageRow(message, participant, cursor)) };
  },
});

/** Whether the caller has unread messages: if not, `ok` is false and the exit code 1. */
export const poll = operation({
  name: 'msg.poll',
  command: 'msg poll',
  group: 'Messages',
  kind: 'read',
  instead: 'msg list --poll',
  summary: 'Check for new messages about a task: exit code 0 if any, else 1',
  examples: ['troupe msg list write-the-parser --poll', 'troupe msg list write-the-parser --poll --json'],
  input: readerInput,
  output: z.object({ ok: z.boolean(), task_id: z.string(), unread: z.number() }),
  async run(context: WorkContext, input) {
    const { participant, cursor, messages } = await sinceRead(context, input);
    const unread = messages.filter((message) => isUnread(message, participant, cursor)).length;
    return { ok: unread > 0, task_id: input.id, unread };
  },
});

/** The messages about a task after the last one that the caller has read. */
async function sinceRead(context: WorkContext, { id, actor }: z.infer<typeof readerInput>) {
  taskOf(await (await context.graph()).view(), id);
  const participant = await participantOf(context, actor);
  const mail = await context.mail();
  const conversation = taskConversation(id);
  const cursor = await mail.cursor(participant.reader, conversation);
  const messages = await mail.messages(conversation, { after: cursor, limit: TEAM_LIMITS.messagesListed });
  return { mail, participant, conversation, cursor, messages };
}

/** The latest messages, of all or of those before this number. */
async function latestBefore(mail: MailStore, conversation: string, limit: number, before: number | undefined) {
  if (before === undefined) return await mail.messages(conversation, { limit });
  const [last] = await mail.messages(conversation, { limit: 1 });
  const end = Math.min(before - 1, last?.number ?? 0); // numbers have no gaps
  const after = Math.max(0, end - limit);
  return await mail.messages(conversation, { after, limit: end - after });
}

/** Converts a message to its output form for this reader. */
export function messageRow(
  message: Message,
  participant: { reader: string },
  cursor: number,
): z.infer<typeof messageShape> {
  const { id, number, sender_name, sender, body, priority, created_at } = message;
  const unread = isUnread(message, participant, cursor);
  return { id, number, from: sender_name, sender, text: body, priority, at: timestamp(created_at), unread };
}

function isUnread(message: Message, participant: { reader: string }, cursor: number): boolean {
  return message.number > cursor && message.speaks_for !== participant.reader;
}

/** Returns the leading messages that fit into one answer; the limit holds several messages of maximum length. */
function fitting(messages: readonly Message[]): readonly Message[] {
  let characters = 0;
  return messages.filter(({ body }) => {
    characters += body.length;
    return characters <= TEAM_LIMITS.messagesListedCharacters;
  });
}
