import { corrupt } from '#adapters/teams-database/corrupt.js';
import type { Row } from '#adapters/teams-database/database.js';
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

/** Rows of the tables as what they mean. A word this version does not know is `data_corrupt`, never a default. */
export function memoryOf(row: Row): Memory {
  return {
    number: Number(row['number']),
    ...optional('source', row),
    agent: String(row['agent']),
    type: word('memories', row, 'type', MEMORY_TYPES),
    importance: word('memories', row, 'importance', IMPORTANCES),
    content: String(row['content']),
    ...made(row),
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
    ...made(row),
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
    ...made(row),
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

function made(row: Row) {
  return { created_by: String(row['created_by']), created_at: Number(row['created_at']) };
}

function optional<Key extends string>(key: Key, row: Row): { [K in Key]?: string } {
  return (row[key] === null ? {} : { [key]: String(row[key]) }) as { [K in Key]?: string };
}

function word<Word extends string>(table: string, row: Row, column: string, known: readonly Word[]): Word {
  const found = known.find((candidate) => candidate === row[column]);
  if (found === undefined) throw corrupt(table, row['number'], column, row[column]);
  return found;
}
