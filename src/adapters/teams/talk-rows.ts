import { corrupt, type Database, type Row } from '#adapters/teams-database/database.js';
import { appendMessage, DELIVERABLE, PLAIN } from '#adapters/teams-database/message-rows.js';
import {
  MAIL_TYPES,
  type NewTeamMessage,
  RECIPIENT_ROLES,
  type Recipient,
  type TeamMessage,
  teamConversation,
} from '#core/teams/mail.js';
import {
  SESSION_STATUSES,
  SESSION_TRIGGERS,
  type Session,
  type SessionOutcome,
  sessionOutcome,
} from '#core/teams/session.js';
import { STRATA_STATES, type Strata } from '#core/teams/strata.js';
import { storedPlan } from '#core/teams/strata-plan.js';
import type { TalkAnswers, TalkRows, WakeUp } from '#core/teams/talk.js';
import { POSITIONS } from '#core/teams/team.js';
import { parseJsonObject } from '#kernel/json.js';
import { closedWord, numberOrNull, textOrNull, wordOrNull } from './columns.js';

const STRATA = 'team_id, version, state, plan_json, sha256, claim_fence, tries, created_at';
const MESSAGE =
  'm.id, t.team_id, m.seq, m.sender, m.sender_name, m.speaks_for, t.position, m.type, m.body, m.thread_id, m.reply_to, t.task_id, t.origin, t.depth, m.created_at';
const JOINED = `SELECT ${MESSAGE} FROM messages m JOIN mail t ON t.message_id = m.id`;
const WAKE_UP = 'task_id, team_id, member, origin, depth, cause, created_at';
const SESSION = 'id, team_id, topic, trigger, max_rounds, status, outcome_json, created_at';
/** Before the slug of whoever on the team wrote. */
const MEMBER = 'member/';

/** Nothing is read before it is asked for. */
export function talkAnswersIn(database: Database): TalkAnswers {
  const count = (sql: string, value: string) => Number(database.all(sql, value)[0]?.['n']);
  return {
    strata: (team) => strataRows(database, team),
    lastNumber: (team) =>
      count('SELECT coalesce(max(seq), 0) AS n FROM messages WHERE conversation_id = ?', teamConversation(team)),
    message: (id) => withRecipients(database, database.all(`${JOINED} WHERE m.id = ?`, id))[0],
    threadLength: (thread) => count('SELECT count(*) AS n FROM messages WHERE thread_id = ?', thread),
    wakeUp: (task) => database.all(`SELECT ${WAKE_UP} FROM wake_ups WHERE task_id = ?`, task).map(wakeUpOf)[0],
    wakeUpsOf: (origin) => count('SELECT count(*) AS n FROM wake_ups WHERE origin = ?', origin),
    wakeUpsBy: (cause) => count('SELECT count(*) AS n FROM wake_ups WHERE cause = ?', cause),
    latestTurn: (team, member) => wakeUpsIn(database, team, member, 1)[0]?.task,
    session: (team, id) => sessionsWhere(database, 'team_id = ? AND id = ?', team, id)[0],
  };
}

export function strataRows(database: Database, team: string): Strata[] {
  return database.all(`SELECT ${STRATA} FROM strata WHERE team_id = ? ORDER BY version`, team).map(strataOf);
}

/** The messages of a team after a number, the oldest first; without a number, the latest. */
export function chatIn(database: Database, team: string, options: { after?: number; limit: number }): TeamMessage[] {
  const { after, limit } = options;
  const rows = (where: string, order: string, ...values: (string | number)[]) =>
    database.all(
      `${JOINED} WHERE m.conversation_id = ? AND ${DELIVERABLE} ${where} ORDER BY m.seq ${order} LIMIT ?`,
      ...[teamConversation(team), ...values, limit],
    );
  const page = after === undefined ? rows('', 'DESC').reverse() : rows('AND m.seq > ?', 'ASC', after);
  return withRecipients(database, page);
}

/** The latest messages that are for one member, in order. */
export function mailIn(database: Database, team: string, member: string, limit: number): TeamMessage[] {
  const sql = `${JOINED} JOIN recipients r ON r.message_id = m.id AND r.member = ? WHERE m.conversation_id = ? AND ${DELIVERABLE} ORDER BY m.seq DESC LIMIT ?`;
  return withRecipients(database, database.all(sql, member, teamConversation(team), limit).reverse());
}

/** The latest turns of a member first. */
export function wakeUpsIn(database: Database, team: string, member: string, limit: number): WakeUp[] {
  const sql = `SELECT ${WAKE_UP} FROM wake_ups WHERE team_id = ? AND member = ? ORDER BY rowid DESC LIMIT ?`;
  return database.all(sql, team, member, limit).map(wakeUpOf);
}

/** The latest first. */
export function sessionsIn(database: Database, team: string, limit: number): Session[] {
  return sessionsWhere(database, 'team_id = ? ORDER BY created_at DESC, rowid DESC LIMIT ?', team, limit);
}

export function writeTalk(database: Database, { strata, messages, wakeUps, sessions, reads, inUse }: TalkRows): void {
  for (const row of strata) writeStrata(database, row);
  for (const message of messages) writeMessage(database, message);
  for (const { task, teamId, member, origin, depth, cause, createdAt } of wakeUps) {
    const values = [task, teamId, member, origin, depth, cause, createdAt];
    database.run(`INSERT INTO wake_ups (${WAKE_UP}) VALUES (?, ?, ?, ?, ?, ?, ?)`, ...values);
  }
  for (const session of sessions) writeSession(database, session);
  for (const { teamId, member, until, at } of reads) {
    const unread =
      'SELECT m.id FROM messages m JOIN recipients r ON r.message_id = m.id AND r.member = ? AND r.read_at IS NULL WHERE m.conversation_id = ? AND m.created_at <= ?';
    database.run(
      `UPDATE recipients SET read_at = ? WHERE member = ? AND message_id IN (${unread})`,
      ...[at, member, member, teamConversation(teamId), until],
    );
  }
  for (const { person, teamId } of inUse) {
    const sql = 'INSERT INTO teams_in_use VALUES (?, ?) ON CONFLICT DO UPDATE SET team_id = excluded.team_id';
    database.run(sql, person, teamId);
  }
}

export function teamInUse(database: Database, person: string): string | undefined {
  const [row] = database.all('SELECT team_id FROM teams_in_use WHERE person = ?', person);
  return row && String(row['team_id']);
}

function writeStrata(database: Database, row: Strata): void {
  const { teamId, version, state, plan, sha256, claimFence, tries, createdAt } = row;
  database.run(
    `INSERT INTO strata (${STRATA}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET state = excluded.state, plan_json = excluded.plan_json, sha256 = excluded.sha256, claim_fence = excluded.claim_fence, tries = excluded.tries`,
    ...[teamId, version, state, plan && JSON.stringify(plan), sha256, claimFence, tries, createdAt],
  );
}

function writeMessage(database: Database, message: NewTeamMessage): void {
  const { id, teamId, sender, senderName, member, position, type, body, thread, replyTo, createdAt } = message;
  const conversation = teamConversation(teamId);
  database.run(
    "INSERT INTO conversations (id, team_id, initiator, recipient, state, created_at) VALUES (?, ?, ?, ?, 'active', ?) ON CONFLICT DO NOTHING",
    ...[conversation, teamId, sender, conversation, createdAt],
  );
  const row = {
    id,
    conversation,
    sender,
    sender_name: senderName,
    body,
    priority: 'normal' as const,
    created_at: createdAt,
  };
  const details = { ...PLAIN, type, reply_to: replyTo, thread_id: thread };
  appendMessage(database, { ...row, speaks_for: member === null ? sender : `${MEMBER}${member}` }, details);
  const { task, origin, depth, recipients } = message;
  database.run('INSERT INTO mail VALUES (?, ?, ?, ?, ?, ?)', id, teamId, position, task, origin, depth);
  for (const { member: reader, role, readAt } of recipients)
    database.run(
      'INSERT INTO recipients (message_id, member, role, read_at) VALUES (?, ?, ?, ?)',
      id,
      reader,
      role,
      readAt,
    );
}

function writeSession(database: Database, session: Session): void {
  const { id, teamId, topic, trigger, maxRounds, status, outcome, participants, turns, createdAt } = session;
  database.run(
    `INSERT INTO sessions (${SESSION}) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET status = excluded.status, outcome_json = excluded.outcome_json`,
    ...[id, teamId, topic, trigger, maxRounds, status, outcome && JSON.stringify(outcome), createdAt],
  );
  for (const [place, member] of participants.entries())
    database.run('INSERT INTO participants VALUES (?, ?, ?) ON CONFLICT DO NOTHING', id, place, member);
  for (const { n, member, body } of turns)
    database.run('INSERT INTO turns VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING', id, n, member, body);
}

function sessionsWhere(database: Database, where: string, ...values: (string | number)[]): Session[] {
  return database.all(`SELECT ${SESSION} FROM sessions WHERE ${where}`, ...values).map((row) => {
    const id = String(row['id']);
    const participants = database.all('SELECT member FROM participants WHERE session_id = ? ORDER BY place', id);
    const turns = database.all('SELECT n, member, body FROM turns WHERE session_id = ? ORDER BY n', id);
    return {
      ...{ id, teamId: String(row['team_id']), topic: String(row['topic']), maxRounds: Number(row['max_rounds']) },
      trigger: closedWord(SESSION_TRIGGERS, 'sessions', row, 'trigger'),
      status: closedWord(SESSION_STATUSES, 'sessions', row, 'status'),
      outcome: outcomeOf(row),
      participants: participants.map(({ member }) => String(member)),
      turns: turns.map(({ n, member, body }) => ({ n: Number(n), member: String(member), body: String(body) })),
      createdAt: Number(row['created_at']),
    };
  });
}

function outcomeOf(row: Row): SessionOutcome | null {
  if (row['outcome_json'] === null) return null;
  const outcome = sessionOutcome(parseJsonObject(String(row['outcome_json'])));
  if (outcome) return outcome;
  throw corrupt('sessions', row['id'], 'outcome_json', row['outcome_json']);
}

function strataOf(row: Row): Strata {
  const text = textOrNull(row['plan_json']);
  const plan = text === null ? null : storedPlan(parseJsonObject(text));
  if (plan === undefined) throw corrupt('strata', row['team_id'], 'plan_json', text);
  return {
    ...{ teamId: String(row['team_id']), version: Number(row['version']) },
    state: closedWord(STRATA_STATES, 'strata', { ...row, id: row['team_id'] }, 'state'),
    ...{ plan, sha256: textOrNull(row['sha256']), claimFence: numberOrNull(row['claim_fence']) },
    ...{ tries: Number(row['tries']), createdAt: Number(row['created_at']) },
  };
}

function wakeUpOf(row: Row): WakeUp {
  return {
    ...{ task: String(row['task_id']), teamId: String(row['team_id']), member: String(row['member']) },
    ...{ origin: String(row['origin']), depth: Number(row['depth']), cause: textOrNull(row['cause']) },
    createdAt: Number(row['created_at']),
  };
}

/** Those of all messages of a page by one question. */
function withRecipients(database: Database, rows: readonly Row[]): TeamMessage[] {
  if (rows.length === 0) return [];
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const sql =
    "SELECT message_id, member, role, read_at FROM recipients WHERE message_id IN (SELECT value FROM json_each(?)) ORDER BY message_id, role = 'cc', member";
  const byMessage = new Map<string, Recipient[]>();
  for (const row of database.all(sql, ids)) {
    const recipient = {
      member: String(row['member']),
      role: closedWord(RECIPIENT_ROLES, 'recipients', { ...row, id: row['message_id'] }, 'role'),
      readAt: numberOrNull(row['read_at']),
    };
    const id = String(row['message_id']);
    byMessage.set(id, [...(byMessage.get(id) ?? []), recipient]);
  }
  return rows.map((row) => messageOf(row, byMessage.get(String(row['id'])) ?? []));
}

function messageOf(row: Row, recipients: readonly Recipient[]): TeamMessage {
  const speaker = String(row['speaks_for']);
  return {
    ...{ id: String(row['id']), teamId: String(row['team_id']), number: Number(row['seq']) },
    ...{ sender: String(row['sender']), senderName: String(row['sender_name']) },
    member: speaker.startsWith(MEMBER) ? speaker.slice(MEMBER.length) : null,
    position: wordOrNull(POSITIONS, 'mail', row, 'position'),
    type: closedWord(MAIL_TYPES, 'messages', row, 'type'),
    ...{ body: String(row['body']), thread: String(row['thread_id']), replyTo: textOrNull(row['reply_to']) },
    ...{ task: textOrNull(row['task_id']), origin: String(row['origin']), depth: Number(row['depth']) },
    ...{ recipients, createdAt: Number(row['created_at']) },
  };
}
