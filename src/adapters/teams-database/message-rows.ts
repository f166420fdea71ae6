import { type Message, type NewMessage, PRIORITIES } from '#core/mail/message.js';
import type { Columns } from './columns.js';
import { ADD_MESSAGE, LAST_NUMBER, type MessageDetails } from './message-statements.js';
import { perform, type Statements } from './statement.js';
import { known } from './words.js';

/** Details of a plain text message. */
export const PLAIN: MessageDetails = {
  type: 'message',
  subject: null,
  reply_to: null,
  thread_id: null,
  expires_at: null,
};

/**
 * Appends a message to its existing conversation and returns it with its number. Must run within an open transaction,
 * so that the number is unique.
 */
export function* appendMessage(message: NewMessage, details: MessageDetails): Statements<Message> {
  const number = (yield* lastNumber(message.conversation)) + 1;
  yield* perform(ADD_MESSAGE, { ...message, ...details, number });
  return { ...message, number };
}

/** Number of the latest message of a conversation; 0 if there is none. */
export function* lastNumber(conversation: string): Statements<number> {
  return (yield* perform(LAST_NUMBER, { conversation }))[0]?.last ?? 0;
}

/** Converts a row with the columns of a message. */
export function messageOf(row: Omit<Columns['messages'], 'rowid' | keyof MessageDetails>): Message {
  return {
    id: row.id,
    conversation: row.conversation_id,
    number: row.seq,
    sender: row.sender,
    sender_name: row.sender_name,
    speaks_for: row.speaks_for,
    body: row.body,
    priority: known(PRIORITIES, row.priority, 'messages', row.id, 'priority'),
    created_at: row.created_at,
  };
}
