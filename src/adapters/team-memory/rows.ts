import { corrupt, type Database, type Row } from '#adapters/teams-database/database.js';
import {
  DECISION_STATUSES,
  DECISION_TYPES,
  type Decision,
  ENTRY_STATUSES,
  ENTRY_TYPES,
  IMPORTANCES,
  type InboxEntry,
  MEMORY_TYPES,
  type Memory,
  type WorkSession,
} from '#core/team/memory.js';
import type { Exchange } from '#core/team/memory-exchange.js';
import type { Standing, StandingRows } from '#core/team/standing-rows.js';

/** Rows of the tables as what they mean. A word this version does not know is `data_corrupt`, never a default. */
export function memoryOf(row: Row): Memory {
  return {
    number: Number(row['number']),
    ...optional('source', row),
    agent: String(row['agent']),
    type: word('memories', row, 'type', MEMORY_TYPES),
    importance: word('memories', row, 'importance', IMPORTANCES),
    content: String(row['content']),
    ...authorship(row),
  };
}

export function entryOf(row: Row): InboxEntry {
  const at = row['settled_at'];
  return {
    number: Number(row['number']),
    agent: String(row['agent']),
    slug: String(row['slug']),
    stored_slug: String(row['stored_slug']),
    type: word('inbox_entries', row, 'type', ENTRY_TYPES),
    title: String(row['title']),
    content: String(row['content']),
    rationale: String(row['rationale']),
    status: word('inbox_entries', row, 'status', ENTRY_STATUSES),
    ...authorship(row),
    ...optional('settled_by', row),
    ...(at === null ? {} : { settled_at: Number(at) }),
    ...optional('reason', row),
  };
}

export function decisionOf(row: Row): Decision {
  const next = row['superseded_by'];
  return {
    number: Number(row['number']),
    ...optional('source', row),
    type: word('decisions', row, 'type', DECISION_TYPES),
    title: String(row['title']),
    content: String(row['content']),
    rationale: String(row['rationale']),
    ...optional('agent', row),
    status: word('decisions', row, 'status', DECISION_STATUSES),
    ...(next === null ? {} : { superseded_by: Number(next) }),
    ...authorship(row),
  };
}

export function sessionOf(row: Row): WorkSession {
  const end = row['ended_at'];
  return {
    number: Number(row['number']),
    ...optional('source', row),
    focus: String(row['focus']),
    context: String(row['context']),
    started_by: String(row['started_by']),
    started_at: Number(row['started_at']),
    ...(end === null ? {} : { ended_at: Number(end) }),
  };
}

function authorship(row: Row) {
  return { created_by: String(row['created_by']), created_at: Number(row['created_at']) };
}

function optional<Key extends string>(key: Key, row: Row): { [K in Key]?: string } {
  return (row[key] === null ? {} : { [key]: String(row[key]) }) as { [K in Key]?: string };
}

function word<Word extends string>(table: string, row: Row, column: string, words: readonly Word[]): Word {
  const match = words.find((candidate) => candidate === row[column]);
  if (match === undefined) throw corrupt(table, row['number'], column, row[column]);
  return match;
}

/** All rows that can be shared are looked at and replaced in one step. Needs a transaction. */
export function exchangeRows(database: Database, decide: (rows: StandingRows) => Exchange, stamp: string): Exchange {
  const exchange = decide(standingRows(database));
  if (exchange.changed) putRows(database, exchange.rows);
  database.run('INSERT OR REPLACE INTO ledger_stamp VALUES (1, ?)', stamp);
  return exchange;
}

export function stampOf(database: Database): string | undefined {
  const [row] = database.all('SELECT stamp FROM ledger_stamp');
  return row === undefined ? undefined : String(row['stamp']);
}

function standingRows(database: Database): StandingRows {
  const all = <Kind>(table: string, of: (row: Row) => Kind): Standing<Kind>[] =>
    database.all(`SELECT * FROM ${table} ORDER BY number`).map((row) => ({
      row: of(row),
      id: row['id'] === null ? undefined : String(row['id']),
      rev: Number(row['rev']),
      sha256: row['sha256'] === null ? undefined : String(row['sha256']),
      shared: row['shared'] === 1,
    }));
  return {
    memories: all('memories', memoryOf),
    decisions: all('decisions', decisionOf),
    sessions: all('work_sessions', sessionOf),
  };
}

function putRows(database: Database, { memories, decisions, sessions }: StandingRows): void {
  // A decision may be superseded by one that is put in after it.
  database.script('PRAGMA defer_foreign_keys = ON');
  for (const table of ['memories', 'decisions', 'work_sessions']) database.run(`DELETE FROM ${table}`);
  for (const standing of memories) putMemory(database, standing);
  for (const standing of decisions) putDecision(database, standing);
  for (const standing of sessions) putSession(database, standing);
}

function putMemory(database: Database, { row, ...standing }: Standing<Memory>): void {
  const { number, source, agent, type, importance, content, created_by, created_at } = row;
  database.run(
    'INSERT INTO memories (number, source, agent, type, importance, content, created_by, created_at, id, rev, sha256, shared) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[number, source ?? null, agent, type, importance, content, created_by, created_at, ...columns(standing)],
  );
}

function putDecision(database: Database, { row, ...standing }: Standing<Decision>): void {
  const { number, source, type, title, content, rationale, agent, status, superseded_by, created_by, created_at } = row;
  database.run(
    'INSERT INTO decisions (number, source, type, title, content, rationale, agent, status, superseded_by, created_by, created_at, id, rev, sha256, shared) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[number, source ?? null, type, title, content, rationale, agent ?? null, status, superseded_by ?? null],
    ...[created_by, created_at, ...columns(standing)],
  );
}

function putSession(database: Database, { row, ...standing }: Standing<WorkSession>): void {
  const { number, source, focus, context, started_by, started_at, ended_at } = row;
  database.run(
    'INSERT INTO work_sessions (number, source, focus, context, started_by, started_at, ended_at, id, rev, sha256, shared) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    ...[number, source ?? null, focus, context, started_by, started_at, ended_at ?? null, ...columns(standing)],
  );
}

function columns({ id, rev, sha256, shared }: Omit<Standing<never>, 'row'>): (string | number | null)[] {
  return [id ?? null, rev, sha256 ?? null, shared ? 1 : 0];
}
