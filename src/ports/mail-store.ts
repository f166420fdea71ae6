import type { Conversation, MailPlan, MailView, MessageType } from '#core/mail/conversation.js';
import type { Message } from '#core/mail/message.js';
import type { Queried } from '#kernel/query.js';
import type { KnownRequest } from '#kernel/request.js';

/** A message as its reader is given it. */
export interface Mail extends Message {
  readonly type: MessageType;
  /** Of the conversation it is in. */
  readonly kind: Conversation['kind'];
}

/** Messages of a conversation after a number, the oldest first; without a number, the latest, in order. At most `limit`. */
export interface Page {
  readonly after?: number;
  readonly limit: number;
}

/** The latest messages about a task that nobody who worked at it has read, in order. */
export interface UnreadTalk {
  readonly task: string;
  readonly messages: readonly Message[];
}

/** How the conversations of one task stand, for whoever decides whether it goes on. */
export interface TaskMail {
  readonly task: string;
  /** How many that were opened from it are awaited. */
  readonly open: number;
  readonly unread: readonly UnreadMail[];
}

export interface UnreadMail {
  /** The claim in whose prompt it stands; null while it stands in none. */
  readonly shownTo: number | null;
  /** Somebody waits for an answer: it is no reply. */
  readonly asked: boolean;
}

/** Mail that nobody has read, and whose it is. */
export interface Undelivered {
  readonly message: string;
  readonly conversation: string;
  readonly member: string;
  readonly task: string | null;
  readonly state: Conversation['state'];
  readonly at: number;
  /** Empty or huge, as no message of ours can be: nobody will be given it. */
  readonly quarantined: boolean;
}

/**
 * Conversations of agents and people, and talks about tasks, with their messages. What is answered is on disk. A value it does not know is `data_corrupt`.
 * Looking makes no store where nothing was ever kept. Other errors: `schema_newer`, `migration_changed`, `locked`, `disk_full`,
 * `read_only`, `unsafe_path`, `sqlite_missing`.
 */
export interface MailStore {
  /**
   * Answers what a decision asks while nobody else changes the conversations, and writes its plan in the same step. A decision that throws
   * changes nothing; one may be begun anew.
   */
  change<Result>(decide: (view: MailView) => Queried<MailPlan<Result>>): Promise<Result>;
  /**
   * As `change`, once for each request: asked again, it changes nothing and answers the same, which is plain data. Errors besides:
   * `request_id_reused`.
   */
  changeOnce<Result>(request: KnownRequest, decide: (view: MailView) => Queried<MailPlan<Result>>): Promise<Result>;
  conversation(id: string): Promise<Conversation | undefined>;
  /** The one that is done in this task. */
  ofTask(task: string): Promise<Conversation | undefined>;
  /** Those in which one takes part, or all; those that are open first, then the latest; at most `limit`. */
  conversations(member: string | undefined, limit: number): Promise<readonly Conversation[]>;
  /** Everything that is open and no talk. */
  open(): Promise<readonly Conversation[]>;
  /** What one has not read, in the order in which it was written, at most `limit`; of one task where one is named. */
  inbox(member: string, options: { readonly task?: string; readonly limit: number }): Promise<readonly Mail[]>;
  messages(conversation: string, page: Page): Promise<readonly Mail[]>;
  /** The number up to which this reader has read; 0 for one who never did. */
  cursor(reader: string, conversation: string): Promise<number>;
  /** Of at most `most` tasks, or of the one that is named. Costs next to nothing while nothing new is. */
  unreadTalk(most: number, task?: string): Promise<readonly UnreadTalk[]>;
  /** The turn of a task under this claim stands in its prompt with these messages. */
  show(task: string, fence: number, messages: readonly string[]): Promise<void>;
  /** That turn is committed: what it was shown is read. */
  commitTurn(task: string, fence: number): Promise<void>;
  /** Of every task that has open conversations or unread mail. Costs next to nothing while nothing new is. */
  taskMail(): Promise<readonly TaskMail[]>;
  /** What nobody has read, the oldest first, at most `limit`. */
  undelivered(limit: number): Promise<readonly Undelivered[]>;
  close(): Promise<void>;
}
