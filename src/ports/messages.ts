import type { MessageFact } from '#core/graph/message.js';
import type { Message, NewMessage } from '#core/messages/message.js';

/** What the conversation of one task must know to keep its bounds. */
export interface ConversationTask {
  readonly task: string;
  /** The reader who works at the task. */
  readonly holder: string;
}

/**
 * Messages and who has read how far. At once to whoever asks next, also from another process; what is answered is on disk.
 * Errors: `inbox_full`, `data_corrupt`, `schema_newer`, `migration_changed`, `locked`, `disk_full`, `read_only`,
 * `unsafe_path`, `sqlite_missing`.
 */
export interface Messages {
  /** Keeps a message and, in the same step, that the graph is to be told of it. A known id answers what it was; with other content: `request_id_reused`. */
  send(message: NewMessage, to: ConversationTask, by: Pick<MessageFact, 'from' | 'kind'>): Promise<Message>;
  /** The messages after a number, the oldest first, at most `limit`; without a number, the latest. */
  list(conversation: string, options: { readonly after?: number; readonly limit: number }): Promise<readonly Message[]>;
  /** How far this reader has read; 0 for one who never did. */
  cursor(reader: string, conversation: string): Promise<number>;
  /** Never moves back. */
  moveCursor(reader: string, conversation: string, to: number): Promise<void>;
  /**
   * Of at most `most` tasks: what nobody who worked at it has read, in order, at most the latest of them. Of one task, where
   * one is named. Makes no store where nothing was ever written, and costs next to nothing while nothing new is.
   */
  unread(
    most: number,
    task?: string,
  ): Promise<readonly { readonly task: string; readonly messages: readonly Message[] }[]>;
  close(): Promise<void>;
}
