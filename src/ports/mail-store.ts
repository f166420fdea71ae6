import type { Conversation, MailPlan, MailView, MessageType } from '#core/mail/conversation.js';
import type { Message } from '#core/mail/message.js';
import type { Queried } from '#kernel/query.js';
import type { KnownRequest } from '#kernel/request.js';

/** A message as it is given to its reader. */
export interface Mail extends Message {
  readonly type: MessageType;
  /** Kind of the conversation that contains it. */
  readonly kind: Conversation['kind'];
}

/**
 * Range of messages of a conversation, in order: the first `limit` after number `after`, or the latest `limit` if it is
 * undefined.
 */
export interface Page {
  readonly after?: number;
  readonly limit: number;
}

/** A message of the talk about a task or of a team. */
export interface FoundMessage extends Message {
  readonly task: string | null;
  /** Name of the team. */
  readonly team: string | null;
}

/** Latest messages about a task that none of its runs has read, in order. */
export interface UnreadTalk {
  readonly task: string;
  readonly messages: readonly Message[];
}

/** State of the conversations of one task, for the decision whether it continues. */
export interface TaskMail {
  readonly task: string;
  /** Number of awaited conversations that were opened from the task. */
  readonly open: number;
  readonly unread: readonly UnreadMail[];
}

export interface UnreadMail {
  /** The claim in whose prompt the message is; null while it is in none. */
  readonly shownTo: number | null;
  /** Whether the sender awaits an answer: the message is not itself a reply. */
  readonly asked: boolean;
}

/** A message that its recipient has not read. */
export interface Undelivered {
  readonly message: string;
  readonly conversation: string;
  readonly member: string;
  readonly task: string | null;
  readonly state: Conversation['state'];
  readonly at: number;
  /** Whether it is empty or oversized, which no message of Troupe can be: it is never delivered. */
  readonly quarantined: boolean;
}

/**
 * Conversations of agents and people, and talks about tasks, with their messages. A write is durable when it resolves.
 * An unknown stored value is `data_corrupt`, never a default. Reading does not create a store. Other errors:
 * `schema_newer`, `migration_changed`, `locked`, `disk_full`, `read_only`, `unsafe_path`, `sqlite_missing`.
 */
export interface MailStore {
  /**
   * Calls a decision, answers its queries, and writes its plan, in one transaction that excludes other writers. If the
   * decision throws, nothing is written. It may be called more than once.
   */
  change<Result>(decide: (view: MailView) => Queried<MailPlan<Result>>): Promise<Result>;
  /**
   * As `change`, but idempotent: a repeated request changes nothing and returns the first result, which must be plain
   * data. Other errors: `request_id_reused`.
   */
  changeOnce<Result>(request: KnownRequest, decide: (view: MailView) => Queried<MailPlan<Result>>): Promise<Result>;
  conversation(id: string): Promise<Conversation | undefined>;
  /** The conversation that this task carries out. */
  ofTask(task: string): Promise<Conversation | undefined>;
  /** Conversations of a member, or all; open ones first, then the latest; at most `limit`. */
  conversations(member: string | undefined, limit: number): Promise<readonly Conversation[]>;
  /** All open conversations that are not talks. */
  open(): Promise<readonly Conversation[]>;
  /** Unread messages of a member, optionally of one task, in the order in which they were written, at most `limit`. */
  inbox(member: string, options: { readonly task?: string; readonly limit: number }): Promise<readonly Mail[]>;
  messages(conversation: string, page: Page): Promise<readonly Mail[]>;
  /** Number of the last message that the reader has read; 0 if none. */
  cursor(reader: string, conversation: string): Promise<number>;
  /** Unread talk of at most `most` tasks, or of one task. Cached until something changes. */
  unreadTalk(most: number, task?: string): Promise<readonly UnreadTalk[]>;
  /** Records that these messages are in the prompt of a task's turn, under this claim. */
  show(task: string, fence: number, messages: readonly string[]): Promise<void>;
  /** Commits that turn: the messages in its prompt count as read. */
  commitTurn(task: string, fence: number): Promise<void>;
  /** State of every task with open conversations or unread messages. Cached until something changes. */
  taskMail(): Promise<readonly TaskMail[]>;
  /**
   * Talk about tasks and of teams in which these words occur in this order, the sender's name included, latest first.
   * Only the beginnings of the latest messages are searched; only of ASCII letters the case is ignored.
   */
  find(words: readonly string[], limit: number): Promise<readonly FoundMessage[]>;
  /** Unread messages of all members, oldest first, at most `limit`. */
  undelivered(limit: number): Promise<readonly Undelivered[]>;
  close(): Promise<void>;
}
