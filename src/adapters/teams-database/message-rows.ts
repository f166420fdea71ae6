import { type Message, type NewMessage, PRIORITIES } from '#core/mail/message.js';
import { LIMITS } from '#kernel/limits.js';
import { corrupt, type Database, type Row } from './database.js';

/** The columns of a message, for those who read messages. */
export const MESSAGE = 'id, conversation_id, seq, sender, sender_name, speaks_for, priority, body, created_at';

/**
 * Holds for a message that may be handed on. Whatever is refused at the door, another program may have written it here: what
 * is empty or huge is in quarantine. It is given to nobody, wakes nobody and fills no inbox; `undelivered` tells of it. The
 * text itself is not read for that.
 */
export const DELIVERABLE = `octet_length(m.body) BETWEEN 1 AND ${LIMITS.messageStoredBytes}`;

/** What only some messages have; each kind of message says all of it. */
export interface MessageDetails {
  readonly type: string;
  readonly subject: string | null;
  readonly reply_to: string | null;
  readonly thread_id: string | null;
  readonly expires_at: number | null;
}

/** A message that is nothing but text. */
export const PLAIN: MessageDetails = {
  type: 'message',
  subject: null,
  reply_to: null,
  thread_id: null,
  expires_at: null,
};

/**
 * Keeps a message as the next of its conversation, which has to be there; answers it with its number. Within a transaction that is
 * open, so nobody else takes that number.
 */
export function appendMessage(database: Database, message: NewMessage, details: MessageDetails): Message {
  const number = lastNumber(database, message.conversation) + 1;
  const { id, conversation, sender, sender_name, speaks_for, priority, body, created_at } = message;
  database.run(
    `INSERT INTO messages (${MESSAGE}, type, subject, reply_to, thread_id, expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ...[id, conversation, number, sender, sender_name, speaks_for, priority, body, created_at],
    ...[details.type, details.subject, details.reply_to, details.thread_id, details.expires_at],
  );
  return { ...message, number };
}

function lastNumber(database: Database, conversation: string): number {
  const sql = 'SELECT coalesce(max(seq), 0) AS last FROM messages WHERE conversation_id = ?';
  return Number(database.all(sql, conversation)[0]?.['last'] ?? 0);
}

/** A row of the columns above. */
export function messageOf(row: Row): Message {
  const priority = PRIORITIES.find((candidate) => candidate === row['priority']);
  if (priority === undefined) throw corrupt('messages', row['id'], 'priority', row['priority']);
  return {
    id: String(row['id']),
    conversation: String(row['conversation_id']),
    number: Number(row['seq']),
    sender: String(row['sender']),
    sender_name: String(row['sender_name']),
    speaks_for: String(row['speaks_for']),
    body: String(row['body']),
    priority,
    created_at: Number(row['created_at']),
  };
}
