/**
 * Mail: conversations between agents and people, messages about tasks, notices to people, and the outbox rows for the
 * graph. Decisions run their queries in the transaction that writes their plan.
 * @packageDocumentation
 */
import { type Queries, queriesOf } from '#kernel/query.js';
import type { Message, NewMessage } from './message.js';
import type { OutboxRow } from './outbox.js';

export const CONVERSATION_STATES = ['pending', 'active', 'paused', 'closed', 'withdrawn'] as const;
export type ConversationState = (typeof CONVERSATION_STATES)[number];

/**
 * `work` is done in a task of its own; a `question` goes to whoever asked for the work and resumes them; a `note` is for people whose
 * answer nobody waits for; a `talk` has no end: about a task, or of a team.
 */
export const CONVERSATION_KINDS = ['talk', 'work', 'question', 'note'] as const;
export type ConversationKind = (typeof CONVERSATION_KINDS)[number];

export interface Conversation {
  /** `agent:{initiator}:{recipient}:{uuid}`. */
  readonly id: string;
  readonly teamId: string | null;
  /** The conversation whose task this one was opened from. */
  readonly parentId: string | null;
  readonly initiator: string;
  readonly recipient: string;
  readonly kind: ConversationKind;
  /** The task of the run that opened it: it is woken. Nobody's where a person did. */
  readonly openedBy: string | null;
  /** Where the recipient works: its own task, or the one of whoever is asked back. */
  readonly taskId: string | null;
  readonly state: ConversationState;
  /** Of those opened by one task, the ones that are waited for together. */
  readonly round: number;
  readonly depth: number;
  /** The claim of the recipient's latest turn: who writes under an older one is refused. */
  readonly turn: number;
  readonly createdAt: number;
}

export const MESSAGE_TYPES = ['message', 'reply', 'needs-answer', 'agent_lost', 'withdrawn'] as const;
export type MessageType = (typeof MESSAGE_TYPES)[number];

/** A message of a conversation, and the one it is for. */
export interface PostedMessage extends NewMessage {
  readonly type: MessageType;
  /** The reader whose inbox it is in; null for a message to all who read its conversation. */
  readonly to: string | null;
  /** The task in whose next turn it is read; null for a person, and for a message to all. */
  readonly toTask: string | null;
}

/** What a decision may ask of the conversations; nobody else changes them until what it comes to is written. */
export interface MailAnswers {
  conversation(id: string): Conversation | undefined;
  /** The one that is done in this task. */
  ofTask(task: string): Conversation | undefined;
  /** Those still open that were opened from this task, the oldest first. */
  openedBy(task: string): readonly Conversation[];
  /** 0 where nothing was ever opened from it. */
  latestRound(task: string): number;
  /** How many messages one has not read. */
  unread(member: string): number;
  /** Messages of a talk about a task that were not read: those by its holder, read by nobody else; or those by others, not read by the holder. */
  unreadTalk(conversation: string, holder: string, byHolder: boolean): number;
  message(id: string): StoredMessage | undefined;
  /** The number of the latest message. */
  lastNumber(conversation: string): number;
  teamStatus(id: string): string | undefined;
}

export type MailView = Queries<MailAnswers>;

export const MAIL_VIEW: MailView = queriesOf<MailAnswers>({
  ...{ conversation: true, ofTask: true, openedBy: true, latestRound: true },
  ...{ unread: true, unreadTalk: true, message: true, lastNumber: true, teamStatus: true },
});

export interface StoredMessage extends Pick<Message, 'conversation' | 'number' | 'sender' | 'body'> {
  /** Those in whose inbox it is. */
  readonly to: readonly string[];
}

/** How far somebody has read. */
export interface CursorMove {
  readonly reader: string;
  readonly conversation: string;
  readonly to: number;
}

/** The result of a decision, written in one step. */
export interface MailPlan<Result> {
  readonly conversations: readonly Conversation[];
  readonly messages: readonly PostedMessage[];
  readonly cursors: readonly CursorMove[];
  readonly outbox: readonly OutboxRow[];
  readonly result: Result;
}

/** What a run may do with conversations, decided as it starts: nothing, answer whoever asked, or write to others too. */
export const MAIL_RIGHTS = ['none', 'reply', 'send'] as const;
export type MailRight = (typeof MAIL_RIGHTS)[number];

/** As a run calls the conversation that it works on. */
export const OWN_CONVERSATION = 'own';

export function isOpen({ state }: Pick<Conversation, 'state'>): boolean {
  return state !== 'closed' && state !== 'withdrawn';
}

/** Its opener goes on when it is closed, and not before. */
export function isAwaited({ kind }: Pick<Conversation, 'kind'>): boolean {
  return kind === 'work' || kind === 'question';
}

export function conversationId(initiator: string, recipient: string, uuid: string): string {
  return `agent:${initiator}:${recipient}:${uuid}`;
}

/** The task that a conversation is done in. */
export function taskOfConversation(uuid: string): string {
  return `msg-${uuid.replaceAll('-', '').slice(0, 12)}`;
}

export function isPersonId(id: string): boolean {
  return id.startsWith('human/');
}
