import { corrupt, type Database, type Row } from '#adapters/teams-database/database.js';
import { appendMessage, DELIVERABLE, MESSAGE, messageOf } from '#adapters/teams-database/message-rows.js';
import { writeOutbox } from '#adapters/teams-database/outbox-rows.js';
import {
  CONVERSATION_KINDS,
  CONVERSATION_STATES,
  type Conversation,
  type MailAnswers,
  type MailPlan,
  MESSAGE_TYPES,
  type PostedMessage,
} from '#core/mail/conversation.js';
import { TEAM_STATUSES } from '#core/teams/team.js';
import { LIMITS } from '#kernel/limits.js';
import type { Mail, Page, Undelivered, UnreadTalk } from '#ports/mail-store.js';

const CONVERSATION =
  'id, team_id, parent_id, initiator, recipient, kind, opened_by, task_id, state, round, depth, turn, created_at';
/** As its index has it. */
export const OPEN = "kind <> 'talk' AND state IN ('pending', 'active', 'paused')";

/** Nothing is read before it is asked for. */
export function mailAnswersIn(database: Database): MailAnswers {
  return {
    conversation: (id) => one(database, 'id = ?', id),
    ofTask: (task) => one(database, "task_id = ? AND kind = 'work'", task),
    openedBy: (task) => conversationsIn(database, `opened_by = ? AND ${OPEN} ORDER BY created_at, rowid`, task),
    latestRound: (task) =>
      count(database, 'SELECT coalesce(max(round), 0) AS count FROM conversations WHERE opened_by = ?', task),
    unread: (member) =>
      count(
        database,
        `SELECT count(*) AS count FROM recipients r JOIN messages m ON m.id = r.message_id WHERE r.member = ? AND r.read_at IS NULL AND ${DELIVERABLE}`,
        member,
      ),
    unreadTalk: (conversation, holder, byHolder) => {
      const [spoken, read] = byHolder ? ['=', '<>'] : ['<>', '='];
      const cursor = `SELECT coalesce(max(last_seq), 0) FROM cursors WHERE conversation_id = ? AND recipient ${read} ?`;
      return count(
        database,
        `SELECT count(*) AS count FROM messages m WHERE conversation_id = ? AND ${DELIVERABLE} AND speaks_for ${spoken} ? AND seq > (${cursor})`,
        ...[conversation, holder, conversation, holder],
      );
    },
    message: (id) => {
      const [row] = database.all('SELECT conversation_id, seq, sender, body FROM messages WHERE id = ?', id);
      if (!row) return undefined;
      const to = database.all('SELECT member FROM recipients WHERE message_id = ?', id);
      return {
        conversation: String(row['conversation_id']),
        number: Number(row['seq']),
        sender: String(row['sender']),
        body: String(row['body']),
        to: to.map(({ member }) => String(member)),
      };
    },
    lastNumber: (id) =>
      count(database, 'SELECT coalesce(max(seq), 0) AS count FROM messages WHERE conversation_id = ?', id),
    teamStatus: (id) => {
      const [row] = database.all('SELECT status FROM teams WHERE id = ?', id);
      return row && word(TEAM_STATUSES, row['status'], 'teams', id, 'status');
    },
  };
}

/** Within the transaction in which its queries were answered. */
export function writeMailPlan(
  database: Database,
  { conversations, messages, cursors, outbox }: MailPlan<unknown>,
  at: number,
): void {
  for (const conversation of conversations) writeConversation(database, conversation);
  for (const message of messages) writeMessage(database, message);
  for (const { reader, conversation, to } of cursors) moveCursor(database, reader, conversation, to, at);
  writeOutbox(database, outbox, at);
}

function writeConversation(database: Database, one: Conversation): void {
  database.run(
    `INSERT INTO conversations (${CONVERSATION}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET state = excluded.state, turn = excluded.turn`,
    ...[one.id, one.teamId, one.parentId, one.initiator, one.recipient, one.kind, one.openedBy, one.taskId],
    ...[one.state, one.round, one.depth, one.turn, one.createdAt],
  );
}

function writeMessage(database: Database, message: PostedMessage): void {
  const details = { type: message.type, subject: null, reply_to: null, thread_id: null, expires_at: null };
  appendMessage(database, message, details);
  if (message.to === null) return;
  database.run(
    "INSERT INTO recipients (message_id, member, role, task_id) VALUES (?, ?, 'to', ?)",
    ...[message.id, message.to, message.toTask],
  );
}

/** Never back. What lies before it counts as read. */
function moveCursor(database: Database, reader: string, conversation: string, to: number, at: number): void {
  database.run(
    'INSERT INTO cursors VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET last_seq = max(last_seq, excluded.last_seq)',
    ...[reader, conversation, to],
  );
  database.run(
    'UPDATE recipients SET read_at = ? WHERE member = ? AND read_at IS NULL AND message_id IN (SELECT id FROM messages WHERE conversation_id = ? AND seq <= ?)',
    ...[at, reader, conversation, to],
  );
}

/** What stood in the prompt of this turn. */
export function commitTurn(database: Database, task: string, fence: number, at: number): void {
  const rows = database.all(
    'SELECT r.member, m.conversation_id, max(m.seq) AS seq FROM recipients r JOIN messages m ON m.id = r.message_id WHERE r.task_id = ? AND r.read_at IS NULL AND r.shown_to = ? GROUP BY r.member, m.conversation_id',
    ...[task, fence],
  );
  for (const { member, conversation_id: conversation, seq } of rows)
    moveCursor(database, String(member), String(conversation), Number(seq), at);
}

export function conversationsIn(database: Database, where: string, ...values: (string | number)[]): Conversation[] {
  return database.all(`SELECT ${CONVERSATION} FROM conversations WHERE ${where}`, ...values).map(conversationOf);
}

const MAIL = `${MESSAGE.split(', ')
  .map((column) => `m.${column}`)
  .join(', ')}, m.type, c.kind`;

/** By the index of what is unread, whatever else there is. */
export function inboxIn(database: Database, member: string, task: string | undefined, limit: number): Mail[] {
  const sql = `SELECT ${MAIL} FROM recipients r CROSS JOIN messages m ON m.id = r.message_id CROSS JOIN conversations c ON c.id = m.conversation_id WHERE r.member = ? AND r.read_at IS NULL AND c.kind <> 'talk' AND ${DELIVERABLE} ${task === undefined ? '' : 'AND r.task_id = ?'} ORDER BY m.rowid LIMIT ?`;
  return database.all(sql, member, ...(task === undefined ? [] : [task]), limit).map(mailOf);
}

export function messagesIn(database: Database, conversation: string, { after, limit }: Page): Mail[] {
  const rows = (where: string, order: string, ...values: number[]) =>
    database.all(
      `SELECT ${MAIL} FROM messages m JOIN conversations c ON c.id = m.conversation_id WHERE m.conversation_id = ? AND ${DELIVERABLE} ${where} ORDER BY m.seq ${order} LIMIT ?`,
      ...[conversation, ...values, limit],
    );
  return (after === undefined ? rows('', 'DESC').reverse() : rows('AND m.seq > ?', 'ASC', after)).map(mailOf);
}

/** One look at each conversation by its index, and then only at those with something unread. */
export function unreadTalkIn(database: Database, most: number, task: string | undefined): UnreadTalk[] {
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

/** Of any conversation what is in quarantine, and of those that are no talk what is unread. */
export function undeliveredIn(database: Database, limit: number): Undelivered[] {
  const sql = `SELECT m.id, m.conversation_id, coalesce(r.member, c.recipient) AS member, r.task_id, c.state, m.created_at, ${DELIVERABLE} AS deliverable FROM messages m JOIN conversations c ON c.id = m.conversation_id LEFT JOIN recipients r ON r.message_id = m.id WHERE NOT (${DELIVERABLE}) OR (c.kind <> 'talk' AND r.member IS NOT NULL AND r.read_at IS NULL) ORDER BY m.rowid LIMIT ?`;
  return database.all(sql, limit).map((row) => ({
    message: String(row['id']),
    conversation: String(row['conversation_id']),
    member: String(row['member']),
    task: row['task_id'] === null ? null : String(row['task_id']),
    state: word(CONVERSATION_STATES, row['state'], 'conversations', row['conversation_id'], 'state'),
    at: Number(row['created_at']),
    quarantined: Number(row['deliverable']) === 0,
  }));
}

function one(database: Database, where: string, value: string): Conversation | undefined {
  return conversationsIn(database, where, value)[0];
}

function conversationOf(row: Row): Conversation {
  const text = (column: string) => (row[column] === null ? null : String(row[column]));
  return {
    ...{ id: String(row['id']), teamId: text('team_id'), parentId: text('parent_id') },
    ...{ initiator: String(row['initiator']), recipient: String(row['recipient']) },
    kind: word(CONVERSATION_KINDS, row['kind'], 'conversations', row['id'], 'kind'),
    ...{ openedBy: text('opened_by'), taskId: text('task_id') },
    state: word(CONVERSATION_STATES, row['state'], 'conversations', row['id'], 'state'),
    ...{ round: Number(row['round']), depth: Number(row['depth']), turn: Number(row['turn']) },
    createdAt: Number(row['created_at']),
  };
}

function mailOf(row: Row): Mail {
  return {
    ...messageOf(row),
    type: word(MESSAGE_TYPES, row['type'], 'messages', row['id'], 'type'),
    kind: word(CONVERSATION_KINDS, row['kind'], 'conversations', row['conversation_id'], 'kind'),
  };
}

function count(database: Database, sql: string, ...values: string[]): number {
  return Number(database.all(sql, ...values)[0]?.['count']);
}

function word<const Words extends readonly string[]>(
  words: Words,
  value: unknown,
  table: string,
  row: unknown,
  column: string,
): Words[number] {
  const known = words.find((candidate) => candidate === value);
  if (known === undefined) throw corrupt(table, row, column, value);
  return known;
}
