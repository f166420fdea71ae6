/**
 * Mail: conversations between agents and people, messages about tasks, notices to people, and the outbox rows for the
 * graph; the rosters that say who may write to whom. Decisions run their queries in the transaction that writes their plan.
 * @packageDocumentation
 */
import { type Queries, queriesOf } from '#kernel/query.js';
import type { Message, NewMessage } from './message.js';
import type { OutboxRow } from './outbox.js';

export const CONVERSATION_STATES = ['pending', 'active', 'paused', 'closed', 'withdrawn'] as const;
export type ConversationState = (typeof CONVERSATION_STATES)[number];

/**
 * `work` is done in a task of its own. A `question` goes back to the requestor of the work and resumes it. A `note`
 * informs people without awaiting an answer. A `talk` (about a task, or of a team) never ends.
 */
export const CONVERSATION_KINDS = ['talk', 'work', 'question', 'note'] as const;
export type ConversationKind = (typeof CONVERSATION_KINDS)[number];

export interface Conversation {
  /** `agent:{initiator}:{recipient}:{uuid}`. */
  readonly id: string;
  readonly teamId: string | null;
  /** Conversation whose task opened this one. */
  readonly parentId: string | null;
  readonly initiator: string;
  readonly recipient: string;
  readonly kind: ConversationKind;
  /** Task of the run that opened it, resumed when it ends; null if a person opened it. */
  readonly openedBy: string | null;
  /** Task in which the recipient works: a task of its own, or for a `question` the requestor's task. */
  readonly taskId: string | null;
  readonly state: ConversationState;
  /** Number of the group of conversations, opened by one task, that are awaited together. */
  readonly round: number;
  readonly depth: number;
  /** Claim of the recipient's latest turn; writes under an older claim are rejected. */
  readonly turn: number;
  readonly createdAt: number;
}

export const MESSAGE_TYPES = ['message', 'reply', 'needs-answer', 'agent_lost', 'withdrawn'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** A message of a conversation, with its addressee. */
export interface PostedMessage extends NewMessage {
  readonly type: MessageType;
  /** Reader whose inbox holds it; null if it is for all readers of its conversation. */
  readonly to: string | null;
  /** Task whose next turn reads it; null for a person and for a message to all readers. */
  readonly toTask: string | null;
}

/** Queries of a mail decision. The data does not change until the resulting plan is written. */
export interface MailAnswers {
  conversation(id: string): Conversation | undefined;
  /** Conversation done in this task. */
  ofTask(task: string): Conversation | undefined;
  /** Open conversations that were opened from this task, oldest first. */
  openedBy(task: string): readonly Conversation[];
  /** Latest round of the task; 0 if no conversation was ever opened from it. */
  latestRound(task: string): number;
  /** Number of deliverable messages that the member has not read; undefined if there are fewer than `least`. */
  unreadAtLeast(member: string, least: number): number | undefined;
  /**
   * Unread messages in the talk about a task. `byHolder`: those by the holder that no other reader has read; otherwise
   * those by others that the holder has not read.
   */
  unreadTalk(conversation: string, holder: string, byHolder: boolean): number;
  message(id: string): StoredMessage | undefined;
  /** Number of the latest message. */
  lastNumber(conversation: string): number;
  teamStatus(id: string): string | undefined;
}

export type MailView = Queries<MailAnswers>;

export const MAIL_VIEW: MailView = queriesOf<MailAnswers>({
  conversation: true,
  ofTask: true,
  openedBy: true,
  latestRound: true,
  unreadAtLeast: true,
  unreadTalk: true,
  message: true,
  lastNumber: true,
  teamStatus: true,
});

export interface StoredMessage extends Pick<Message, 'conversation' | 'number' | 'sender' | 'body'> {
  /** Readers whose inboxes hold it. */
  readonly to: readonly string[];
}

/** New position of a reader's cursor in a conversation. */
export interface CursorMove {
  readonly reader: string;
  readonly conversation: string;
  readonly to: number;
}

/** Result of a decision, written in one transaction. */
export interface MailPlan<Result> {
  readonly conversations: readonly Conversation[];
  readonly messages: readonly PostedMessage[];
  readonly cursors: readonly CursorMove[];
  readonly outbox: readonly OutboxRow[];
  readonly result: Result;
}

export const EMPTY_MAIL_PLAN: Omit<MailPlan<unknown>, 'result'> = {
  conversations: [],
  messages: [],
  cursors: [],
  outbox: [],
};

/** Mail rights of a run, fixed when it starts: none, reply to the requestor, or also send to others. */
export const MAIL_RIGHTS = ['none', 'reply', 'send'] as const;
export type MailRight = (typeof MAIL_RIGHTS)[number];

/** Name by which a run refers to the conversation it works on. */
export const OWN_CONVERSATION = 'own';

export function isOpen({ state }: Pick<Conversation, 'state'>): boolean {
  return state !== 'closed' && state !== 'withdrawn';
}

/** Whether its opener waits for it to close. */
export function isAwaited({ kind }: Pick<Conversation, 'kind'>): boolean {
  return kind === 'work' || kind === 'question';
}

export function conversationId(initiator: string, recipient: string, uuid: string): string {
  return `agent:${initiator}:${recipient}:${uuid}`;
}

/** Id of the task in which a conversation is done. */
export function taskOfConversation(uuid: string): string {
  return `msg-${uuid.replaceAll('-', '').slice(0, 12)}`;
}

export function isPersonId(id: string): boolean {
  return id.startsWith('human/');
}
