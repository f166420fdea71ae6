/**
 * `send`, `reply`, `escalate`, and `msg list|read` without a task.
 * @packageDocumentation
 */
import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { isTerminal } from '#core/graph/task.js';
import { closeConversation, reply as replyTo } from '#core/mail/close.js';
import { CONVERSATION_STATES, type MailPlan, type MailView } from '#core/mail/conversation.js';
import { escalate as escalateFrom } from '#core/mail/escalate.js';
import { personReader } from '#core/mail/message.js';
import { type MailCall, send as sendTo } from '#core/mail/send.js';
import { acknowledge } from '#core/mail/turns.js';
import { gateOf, reviewedBy } from '#core/teams/ask-review.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { Queried } from '#kernel/query.js';
import { inert } from '#kernel/text.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { loadSettings } from '#operations/load-settings.js';
import { type Context, operation } from '#operations/operation.js';
import { projectEscalation } from '#operations/project-escalation.js';
import { relayOutbox } from '#operations/relay-outbox.js';
import { requestOf } from '#operations/request-of.js';
import { flag, text, texts } from '#operations/shapes.js';
import { loadDirectory } from './load-directory.js';
import { conversationRow, conversationShape, mailRow, mailShape } from './shapes.js';
import { speakerOf } from './speaker.js';

const closedShape = z.object({
  status: z.literal('delivered'),
  conversation_id: z.string(),
  state: z.enum(CONVERSATION_STATES),
  withdrawn: z.readonly(z.array(z.string())),
});

const CHANGE = { group: 'Messages', kind: 'write', forRuns: 'any', scope: 'member' } as const;

/** Opens a conversation with a member of the caller's roster, or continues one. */
export const send = operation({
  name: 'bus.send',
  command: 'send',
  ...CHANGE,
  summary: 'Ask an agent or a person for work: it becomes their task until they reply',
  examples: ['troupe send teaparty/coding/lead "Write the parser."', 'troupe send human/ann "Which grammar?" --json'],
  input: z.strictObject({
    member: argument('A name from your roster, or an id', z.string()),
    message: argument('What to do', z.string()),
    conversation_id: option('Continue an open conversation', text, { flag: 'conversation', value: 'ID' }),
  }),
  output: z.object({
    status: z.literal('queued'),
    conversation_id: z.string(),
    message_id: z.string(),
    task_id: z.nullable(z.string()),
  }),
  async run(context: WorkContext & MachineContext, { member, message, conversation_id: conversation }) {
    const { settings } = await loadSettings(context);
    const most = settings.messages.max_open;
    const uuid = randomUUID();
    const sent = await change(context, message, (view, call) =>
      sendTo(view, { ...call, to: member, text: message, conversation, uuid, most }),
    );
    const { conversation: id, message: message_id, task: task_id } = sent;
    return { status: 'queued' as const, conversation_id: id, message_id, task_id };
  },
});

/** Sends the reply that closes the named conversation. */
export const reply = operation({
  name: 'bus.reply',
  command: 'reply',
  ...CHANGE,
  summary: 'Answer and close the conversation; this ends your task in it',
  examples: [
    'troupe reply agent:om:human/ann:6f9619ff-8b86-4d01-b42d-00cf4fc964ff "The new one."',
    'troupe reply agent:om:human/ann:6f9619ff-8b86-4d01-b42d-00cf4fc964ff "Stop." --json',
  ],
  input: z.strictObject({
    conversation_id: argument('The id of the conversation; in a run, `own` is the one it works on', z.string()),
    message: argument('The answer', z.string()),
  }),
  output: closedShape,
  async run(context: WorkContext, { conversation_id: conversation, message }) {
    const closed = await change(context, message, (view, call) =>
      replyTo(view, { ...call, conversation, text: message, type: 'reply' }),
    );
    return closedRow(closed);
  },
});

/** Closes a conversation and all conversations opened from it; only its opener may. */
export const close = operation({
  name: 'bus.close',
  command: 'messages close',
  ...CHANGE,
  instead: 'reply --close',
  summary: 'Close a conversation you opened, and those opened from it',
  examples: [
    'troupe reply agent:human/ann:om:6f9619ff-8b86-4d01-b42d-00cf4fc964ff --close',
    'troupe reply agent:human/ann:om:6f9619ff-8b86-4d01-b42d-00cf4fc964ff --close --json',
  ],
  input: z.strictObject({ conversation_id: argument('The id of the conversation', z.string()) }),
  output: closedShape,
  async run(context: WorkContext, { conversation_id: id }) {
    const closed = await change(context, '', (view, { speaker }) => closeConversation(view, { speaker, id }));
    return closedRow(closed);
  },
});

/** Asks a question of the caller's superior. */
export const escalate = operation({
  name: 'bus.escalate',
  command: 'escalate',
  ...CHANGE,
  forPrograms: true,
  summary: 'Escalate a decision to your lead, its lead, the office or the person who decides',
  examples: [
    'troupe escalate "Which grammar?"',
    'troupe escalate "Which grammar?" --option "the old one" --option "the new one"',
  ],
  input: z.strictObject({
    question: argument('What to decide', z.string()),
    options: option('A possible answer', texts, { flag: 'option', each: true, value: 'TEXT' }),
  }),
  output: z.object({
    status: z.literal('queued'),
    to: z.string(),
    conversation_id: z.string(),
    task_id: z.nullable(z.string()),
  }),
  async run(context: WorkContext & MachineContext, { question, options = [] }) {
    await refuseEscalation(context);
    const starter = await requesterOf(context);
    const { settings } = await loadSettings(context);
    const most = settings.messages.max_open;
    const uuid = randomUUID();
    const asked = await change(context, question, (view, call) =>
      escalateFrom(view, { ...call, question, options, starter, uuid, most }),
    );
    const task_id = 'task' in asked ? asked.task : null;
    return { status: 'queued' as const, to: asked.to, conversation_id: asked.conversation, task_id };
  },
});

/**
 * Returns the person or member who started the work of a run: tasks that runs add have a parent, and tasks of the
 * coordinator refer to other work.
 */
async function requesterOf({ caller, graph }: Pick<Context, 'caller' | 'graph'>): Promise<string | undefined> {
  if (caller.kind !== 'run') return undefined;
  const view = await (await graph()).view();
  const visited = new Set<string>();
  let task = view.task(caller.taskId);
  for (;;) {
    const next = view.task(reviewedBy(task)?.task ?? task?.parent ?? '');
    if (!next || visited.has(next.id)) break;
    visited.add(next.id);
    task = next;
  }
  return task?.parent === undefined && task?.created_by !== 'coordinator' ? task?.created_by : undefined;
}

/** Rejects escalation by a reviewer if the project never escalates at this gate: the reviewer decides alone. */
async function refuseEscalation(context: WorkContext): Promise<void> {
  const { caller } = context;
  if (caller.kind !== 'run') return;
  const view = await (await context.graph()).view();
  const work = view.task(reviewedBy(view.task(caller.taskId))?.task ?? '');
  if (!work || (await projectEscalation(context))[gateOf(work)] !== 'never') return;
  throw new TroupeError('routing_refused', {
    what: `This project does not escalate at the gate ${gateOf(work)}: the reviewer decides.`,
    hint: `Approve or reject ${work.id}.`,
  });
}

/** Lists the caller's conversations; a person can request all of them. */
export const list = operation({
  name: 'bus.list',
  command: 'messages list',
  group: 'Messages',
  kind: 'read',
  instead: 'msg list',
  summary: 'Show your conversations, open ones first',
  examples: ['troupe msg list', 'troupe msg list --all --json'],
  input: z.strictObject({ all: option('Show those of everyone', flag) }),
  output: z.object({ conversations: z.array(conversationShape) }),
  async run(context: WorkContext, { all }) {
    const member = all === true && context.caller.kind === 'person' ? undefined : await readerOf(context);
    const conversations = await (await context.mail()).conversations(member, TEAM_LIMITS.conversationsListed);
    return { conversations: conversations.map(conversationRow) };
  },
});

/** Lists the caller's unread messages without marking them as read. */
export const inbox = operation({
  name: 'bus.inbox',
  command: 'messages inbox',
  group: 'Messages',
  kind: 'read',
  instead: 'msg list --inbox',
  summary: 'Show your unread messages without marking them read',
  examples: ['troupe msg list --inbox', 'troupe msg list --inbox --json'],
  input: z.strictObject({}),
  output: z.object({ messages: z.array(mailShape) }),
  async run(context: WorkContext) {
    const { caller } = context;
    const task = caller.kind === 'run' ? { task: caller.taskId } : {};
    const mail = await (await context.mail()).inbox(await readerOf(context), {
      ...task,
      limit: TEAM_LIMITS.messagesUnread,
    });
    return { messages: mail.map(mailRow) };
  },
});

/** Returns one conversation with its messages; marks them as read if the reader takes part. */
export const read = operation({
  name: 'bus.read',
  command: 'messages read',
  ...CHANGE,
  instead: 'msg read --conversation',
  summary: 'Show a conversation and mark your messages as read',
  examples: [
    'troupe msg read --conversation agent:om:human/ann:6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
    'troupe msg read --conversation agent:om:human/ann:6f9619ff-8b86-4d01-b42d-00cf4fc964ff --json',
  ],
  input: z.strictObject({ conversation_id: argument('The id of the conversation', z.string()) }),
  output: z.object({ conversation: conversationShape, messages: z.array(mailShape) }),
  async run(context: WorkContext, { conversation_id: id }) {
    const mailStore = await context.mail();
    const conversation = await mailStore.conversation(id);
    const reader = await readerOf(context);
    const takesPart = conversation && [conversation.initiator, conversation.recipient].includes(reader);
    if (!conversation || conversation.kind === 'talk')
      throw new TroupeError('conversation_unknown', { what: `There is no conversation ${inert(id)}.` });
    if (!takesPart && context.caller.kind === 'run')
      throw new TroupeError('not_a_participant', { what: `${inert(reader)} is not part of ${inert(id)}.` });
    const mail = await mailStore.messages(id, { after: 0, limit: TEAM_LIMITS.messagesListed });
    const last = mail.findLast((message) => message.speaks_for !== reader);
    if (takesPart && last && context.caller.kind === 'person')
      await change(context, '', (view, { speaker }) => acknowledge(view, { speaker, message: last.id }));
    return { conversation: conversationRow(conversation), messages: mail.map(mailRow) };
  },
});

/** Marks a message and all earlier ones as read. */
export const ack = operation({
  name: 'bus.ack',
  command: 'messages ack',
  ...CHANGE,
  instead: 'msg read --up-to',
  summary: 'Mark a message and the ones before it as read',
  examples: ['troupe msg read --up-to bVxq0pYk3hTz', 'troupe msg read --up-to bVxq0pYk3hTz --json'],
  input: z.strictObject({ message_id: argument('The id of the message', z.string()) }),
  output: z.object({ conversation_id: z.string(), number: z.number() }),
  async run(context: WorkContext, { message_id: message }) {
    const { conversation, number } = await change(context, '', (view, { speaker }) =>
      acknowledge(view, { speaker, message }),
    );
    return { conversation_id: conversation, number };
  },
});

/** Lists unread messages, each with the reason. */
export const undelivered = operation({
  name: 'bus.undelivered',
  command: 'messages undelivered',
  group: 'Messages',
  kind: 'read',
  instead: 'msg list --undelivered',
  summary: 'Show undelivered messages and the reason',
  examples: ['troupe msg list --undelivered', 'troupe msg list --undelivered --json'],
  input: z.strictObject({}),
  output: z.object({
    messages: z.array(
      z.object({
        message_id: z.string(),
        conversation_id: z.string(),
        member: z.string(),
        task_id: z.nullable(z.string()),
        at: z.string(),
        why: z.string(),
      }),
    ),
  }),
  async run(context: WorkContext) {
    const view = await (await context.graph()).view();
    const rows = await (await context.mail()).undelivered(TEAM_LIMITS.conversationsListed);
    return {
      messages: rows.map(({ message, conversation, member, task, state, at, quarantined }) => {
        const status = task === null ? undefined : view.task(task)?.status;
        const why =
          task === null
            ? `${member} has not read it`
            : status === undefined
              ? `${task} is not in the graph`
              : isTerminal(status)
                ? `${task} is ${status} and has not read it`
                : `${task} is ${status} and will read it on its next turn`;
        const of = { message_id: message, conversation_id: conversation, member, task_id: task, at: timestamp(at) };
        if (quarantined) return { ...of, why: 'it is quarantined: empty or too large, so not written by Troupe' };
        return { ...of, why: state === 'active' || state === 'pending' ? why : `${why}; the conversation is ${state}` };
      }),
    };
  },
});

/**
 * Applies a decision on behalf of the caller and relays the outbox to the graph. On an error, adds the text of the
 * message to its details so it is not lost.
 */
async function change<Result>(
  context: WorkContext,
  said: string,
  decide: (view: MailView, call: MailCall) => Queried<MailPlan<Result>>,
): Promise<Result> {
  try {
    const directory = await loadDirectory(context);
    const speaker = await speakerOf(context, directory);
    const request = requestOf(context);
    const call = { speaker, directory, at: context.clock.now(), messageId: request.requestId };
    const result = await (await context.mail()).changeOnce(request, (view) => decide(view, call));
    await relayOutbox(context);
    return result;
  } catch (error) {
    if (!(error instanceof TroupeError) || said === '' || said.length > TEAM_LIMITS.messageBytes) throw error;
    const { code, message: what, hint, details } = error;
    throw new TroupeError(code, { what, hint, details: { ...details, text: said }, cause: error });
  }
}

/** Returns the reader id of the caller. A person can read without a roster. */
async function readerOf(context: WorkContext): Promise<string> {
  if (context.caller.kind === 'person') return personReader(context.caller.name);
  return (await speakerOf(context, await loadDirectory(context))).id;
}

function closedRow({
  conversation,
  state,
  withdrawn,
}: {
  conversation: string;
  state: z.infer<typeof closedShape>['state'];
  withdrawn: readonly string[];
}) {
  return { status: 'delivered' as const, conversation_id: conversation, state, withdrawn };
}
