import { checkedBody } from '#core/mail/message.js';
import type { OutboxRow } from '#core/mail/outbox.js';
import type { Queried } from '#kernel/query.js';
import { inert } from '#kernel/text.js';
import {
  type Conversation,
  type ConversationState,
  EMPTY_MAIL_PLAN,
  isAwaited,
  isOpen,
  isPersonId,
  type MailPlan,
  type MailView,
  type MessageType,
  OWN_CONVERSATION,
} from './conversation.js';
import { checkTurn, type MailCall, messageIn, participated, refusal, type Speaker } from './send.js';

export interface Closed {
  readonly conversation: string;
  readonly state: ConversationState;
  /** Task that resumes because its last awaited conversation ended; null if none. */
  readonly wakes: string | null;
  /** Conversations opened from it, withdrawn with it. */
  readonly withdrawn: readonly string[];
}

/**
 * Posts the answer, which closes the conversation: the named one, or for `own` the one the speaker's task works on.
 * Open conversations that the recipient started for it are withdrawn. Errors: `conversation_unknown`,
 * `conversation_closed`, `not_a_participant`, `stale_attempt`, `empty_message`, `message_too_large`.
 */
export function* reply(
  view: MailView,
  request: MailCall & { readonly conversation: string; readonly text: string; readonly type: MessageType },
): Queried<MailPlan<Closed>> {
  const text = checkedBody(request.text);
  const { speaker } = request;
  const before = yield* view.message(request.messageId);
  if (before) return yield* repliedBefore(view, before.conversation);
  yield* checkTurn(view, speaker);
  const id = request.conversation === OWN_CONVERSATION ? yield* ownConversation(view, speaker) : request.conversation;
  const conversation = yield* participated(view, id, speaker);
  if (conversation.recipient !== speaker.id)
    throw refusal(
      'not_a_participant',
      `${inert(speaker.id)} asked in ${inert(id)} and cannot answer there.`,
      'Close it instead.',
    );
  const message = messageIn(conversation, request, text, request.type);
  const settled = yield* closing(view, conversation, 'closed');
  return {
    ...settled,
    messages: [message],
    cursors: [{ reader: speaker.id, conversation: id, to: yield* view.lastNumber(id) }],
    outbox: [...completion(conversation, request), ...settled.outbox],
  };
}

/**
 * Closes a conversation for its initiator and withdraws all conversations opened from it. Errors:
 * `conversation_unknown`, `conversation_closed`, `not_a_participant`, `stale_attempt`.
 */
export function* closeConversation(
  view: MailView,
  { speaker, id }: { readonly speaker: Speaker; readonly id: string },
): Queried<MailPlan<Closed>> {
  yield* checkTurn(view, speaker);
  const conversation = yield* participated(view, id, speaker);
  if (conversation.initiator !== speaker.id)
    throw refusal(
      'not_a_participant',
      `${inert(id)} was opened by ${inert(conversation.initiator)}, who alone can close it.`,
    );
  const settled = yield* closing(view, conversation, 'closed');
  return { ...settled, outbox: [...abandoned(conversation), ...settled.outbox] };
}

/** Outcome of a conversation that ends without a reply. */
export type ConversationEnding =
  | { readonly how: 'answered'; readonly words: string }
  | { readonly how: 'agent_lost' | 'withdrawn'; readonly words: string };

/**
 * Ends a conversation whose task is over or whose participants may no longer write to each other: posts the last words
 * of the run, or one error message. Leaves a closed conversation unchanged.
 */
export function* end(
  view: MailView,
  {
    id,
    ending,
    at,
    messageId,
  }: { readonly id: string; readonly ending: ConversationEnding; readonly at: number; readonly messageId: string },
): Queried<MailPlan<Closed>> {
  const conversation = yield* view.conversation(id);
  if (!conversation || !isOpen(conversation)) return yield* repliedBefore(view, id);
  const speaker: Speaker = {
    id: conversation.recipient,
    by: conversation.recipient,
    task: undefined,
    fence: undefined,
  };
  const type: MessageType = ending.how === 'answered' ? 'reply' : ending.how;
  const message = messageIn(conversation, { speaker, at, messageId }, ending.words, type);
  const settled = yield* closing(view, conversation, ending.how === 'withdrawn' ? 'withdrawn' : 'closed');
  const over = ending.how === 'withdrawn' ? abandoned(conversation) : [];
  return { ...settled, messages: [message], outbox: [...over, ...settled.outbox] };
}

/**
 * Counts the open siblings in the same transaction that closes this one: closing the last one emits the single wake-up
 * of its round.
 */
function* closing(
  view: MailView,
  conversation: Conversation,
  state: 'closed' | 'withdrawn',
): Queried<MailPlan<Closed>> {
  const below = yield* openBelow(view, conversation);
  const withdrawn = below.map((child): Conversation => ({ ...child, state: 'withdrawn' }));
  const { openedBy, round } = conversation;
  const opened = openedBy === null ? [] : yield* view.openedBy(openedBy);
  const siblings = opened.filter(({ id }) => id !== conversation.id);
  const last = openedBy !== null && isAwaited(conversation) && !siblings.some(isAwaited);
  const wake: OutboxRow[] = last
    ? [
        {
          id: `wake:${openedBy}:${round}`,
          op: 'task.message',
          args: { task_id: openedBy, from: conversation.recipient, kind: 'coordinator', number: round },
        },
      ]
    : [];
  return {
    ...EMPTY_MAIL_PLAN,
    conversations: [{ ...conversation, state }, ...withdrawn],
    outbox: [...below.flatMap(abandoned), ...wake],
    result: {
      conversation: conversation.id,
      state,
      wakes: last ? openedBy : null,
      withdrawn: withdrawn.map(({ id }) => id),
    },
  };
}

/** Conversations opened from the task of a conversation and, recursively, from their tasks; deepest first. */
function* openBelow(view: MailView, { kind, taskId }: Conversation): Queried<readonly Conversation[]> {
  if (kind !== 'work' || taskId === null) return [];
  const below: Conversation[] = [];
  for (const child of yield* view.openedBy(taskId)) below.push(...(yield* openBelow(view, child)), child);
  return below;
}

function abandoned({ kind, taskId, id }: Conversation): OutboxRow[] {
  if (kind !== 'work' || taskId === null) return [];
  return [
    { id: `over:${id}`, op: 'task.abandon', args: { task_id: taskId, reason: 'No one waits for the answer anymore' } },
  ];
}

/** Completes the task with the answer: at once for a person, when the run ends for a run. */
function completion({ kind, taskId, id }: Conversation, { speaker }: MailCall): OutboxRow[] {
  if (kind !== 'work' || taskId === null) return [];
  if (isPersonId(speaker.id) || speaker.fence === undefined)
    return [{ id: `over:${id}`, op: 'task.done', args: { task_id: taskId, by: speaker.by } }];
  return [{ id: `over:${id}`, op: 'task.report', args: { task_id: taskId, by: speaker.by, fence: speaker.fence } }];
}

function* ownConversation(view: MailView, { task }: Speaker): Queried<string> {
  const own = task === undefined ? undefined : yield* view.ofTask(task);
  if (own) return own.id;
  throw refusal('conversation_unknown', 'This work was not requested in a conversation.', 'Name the conversation.');
}

function* repliedBefore(view: MailView, id: string): Queried<MailPlan<Closed>> {
  const state = (yield* view.conversation(id))?.state ?? 'closed';
  const result = { conversation: id, state, wakes: null, withdrawn: [] };
  return { ...EMPTY_MAIL_PLAN, result };
}
