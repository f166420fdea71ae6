/**
 * Messages in `teams.db`.
 * @packageDocumentation
 */

import type { Database } from '#adapters/teams-database/database.js';
import { appendMessage, DELIVERABLE, MESSAGE, messageOf, PLAIN } from '#adapters/teams-database/message-rows.js';
import { writeOutbox } from '#adapters/teams-database/outbox-rows.js';
import type { Tables } from '#adapters/teams-database/tables.js';
import type { MessageFact } from '#core/graph/message.js';
import { checkInbox, type Message, type NewMessage, sameMessage } from '#core/messages/message.js';
import { LIMITS } from '#kernel/limits.js';
import type { ConversationTask, Messages } from '#ports/messages.js';

/** Messages in `.workgraph/teams.db`. Opened with the first question, so that nothing else pays for SQLite. */
export class SqliteMessages implements Messages {
  private readonly database: Tables;
  /** What was unread when the database was last another one. */
  private cached: { state: string; unread: readonly { task: string; messages: readonly Message[] }[] } | undefined;

  constructor(database: Tables) {
    this.database = database;
  }

  send(message: NewMessage, to: ConversationTask, by: Pick<MessageFact, 'from' | 'kind'>): Promise<Message> {
    return this.database.write((database) => {
      const [existing] = database.all(`SELECT ${MESSAGE} FROM messages WHERE id = ?`, message.id);
      if (existing) return sameMessage(messageOf(existing), message);
      openConversation(database, message, to);
      checkInbox(unread(database, message, to), to.task);
      const stored = appendMessage(database, message, PLAIN);
      const args = { task_id: to.task, ...by, number: stored.number };
      writeOutbox(database, [{ id: message.id, op: 'task.message', args }], message.created_at);
      return stored;
    });
  }

  list(conversation: string, options: { after?: number; limit: number }): Promise<readonly Message[]> {
    return this.database.read<readonly Message[]>([], (database) => {
      const { after, limit } = options;
      const rows = (where: string, order: string, ...values: (string | number)[]) =>
        database.all(
          `SELECT ${MESSAGE} FROM messages m WHERE conversation_id = ? AND ${DELIVERABLE} ${where} ORDER BY seq ${order} LIMIT ?`,
          ...[conversation, ...values, limit],
        );
      return (after === undefined ? rows('', 'DESC').reverse() : rows('AND seq > ?', 'ASC', after)).map(messageOf);
    });
  }

  cursor(reader: string, conversation: string): Promise<number> {
    return this.database.read(0, (database) => {
      const sql = 'SELECT last_seq FROM cursors WHERE recipient = ? AND conversation_id = ?';
      return Number(database.all(sql, reader, conversation)[0]?.['last_seq'] ?? 0);
    });
  }

  moveCursor(reader: string, conversation: string, to: number): Promise<void> {
    return this.database.write((database) =>
      database.run(
        'INSERT INTO cursors SELECT ?, id, ? FROM conversations WHERE id = ? ON CONFLICT DO UPDATE SET last_seq = max(last_seq, excluded.last_seq)',
        ...[reader, to, conversation],
      ),
    );
  }

  async unread(most: number, task?: string): Promise<readonly { task: string; messages: readonly Message[] }[]> {
    return await this.database.read([], (database) => {
      const changes = [...database.all('PRAGMA data_version'), ...database.all('SELECT total_changes()')];
      const state = JSON.stringify([changes, most, task]);
      if (this.cached?.state !== state) this.cached = { state, unread: unreadIn(database, most, task) };
      return this.cached.unread;
    });
  }

  close(): Promise<void> {
    return this.database.close();
  }
}

/** One look at each conversation by its index, and then only at those with something unread. */
function unreadIn(database: Database, most: number, task?: string): { task: string; messages: readonly Message[] }[] {
  const read = `coalesce((SELECT last_seq FROM cursors WHERE conversation_id = c.id AND recipient = 'task/' || c.task_id), 0)`;
  const conversations = database.all(
    `SELECT c.id, c.task_id, ${read} AS read FROM conversations c WHERE c.kind = 'talk' AND c.task_id IS NOT NULL ${task === undefined ? '' : 'AND c.task_id = ?'} AND (SELECT max(seq) FROM messages WHERE conversation_id = c.id) > ${read} ORDER BY c.created_at, c.id LIMIT ?`,
    ...[...(task === undefined ? [] : [task]), most],
  );
  return conversations.flatMap(({ id, task_id, read: to }) => {
    const rows = database.all(
      `SELECT ${MESSAGE} FROM messages m WHERE conversation_id = ? AND seq > ? AND speaks_for <> ? AND ${DELIVERABLE} ORDER BY seq DESC LIMIT ?`,
      ...[String(id), Number(to), `task/${task_id}`, LIMITS.promptMessages],
    );
    return rows.length === 0 ? [] : [{ task: String(task_id), messages: rows.reverse().map(messageOf) }];
  });
}

function openConversation(database: Database, message: NewMessage, to: ConversationTask): void {
  database.run(
    "INSERT INTO conversations (id, initiator, recipient, task_id, state, created_at) VALUES (?, ?, ?, ?, 'active', ?) ON CONFLICT DO NOTHING",
    ...[message.conversation, message.sender, to.holder, to.task, message.created_at],
  );
}

/** What lies unread in the inbox this message is for: that of the holder, or of all others together. */
function unread(database: Database, message: NewMessage, to: ConversationTask): number {
  const is = message.speaks_for === to.holder ? ['<>', '='] : ['=', '<>'];
  const sql = `SELECT count(*) AS unread FROM messages m WHERE conversation_id = ? AND ${DELIVERABLE} AND speaks_for ${is[1]} ? AND seq > (SELECT coalesce(max(last_seq), 0) FROM cursors WHERE conversation_id = ? AND recipient ${is[0]} ?)`;
  const { conversation } = message;
  return Number(database.all(sql, conversation, to.holder, conversation, to.holder)[0]?.['unread']);
}
