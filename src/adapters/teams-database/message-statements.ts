import type { Message } from '#core/mail/message.js';
import { db, statement } from './building.js';

export const LAST_NUMBER = statement(({ conversation }: { conversation: string }) =>
  db
    .selectFrom('messages')
    .select((eb) => eb.fn.coalesce(eb.fn.max('seq'), eb.lit(0)).as('last'))
    .where('conversation_id', '=', conversation),
);

/** Columns that only some kinds of messages use; every insert sets all of them. */
export interface MessageDetails {
  readonly type: string;
  readonly subject: string | null;
  readonly reply_to: string | null;
  readonly thread_id: string | null;
  readonly expires_at: number | null;
}

export const ADD_MESSAGE = statement((row: Message & MessageDetails) =>
  db.insertInto('messages').values({
    id: row.id,
    conversation_id: row.conversation,
    seq: row.number,
    sender: row.sender,
    sender_name: row.sender_name,
    speaks_for: row.speaks_for,
    priority: row.priority,
    body: row.body,
    created_at: row.created_at,
    type: row.type,
    subject: row.subject,
    reply_to: row.reply_to,
    thread_id: row.thread_id,
    expires_at: row.expires_at,
  }),
);
