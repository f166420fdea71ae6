/**
 * What a team remembers, in `teams.db`, read from its files.
 * @packageDocumentation
 */
import type { Database, Row } from '#adapters/teams-database/database.js';
import type { Tables } from '#adapters/teams-database/tables.js';
import type {
  Decision,
  DecisionStatus,
  EntryStatus,
  InboxEntry,
  Memory,
  MemoryType,
  NewDecision,
  NewEntry,
  NewMemory,
  NewWorkSession,
  WorkSession,
} from '#core/team/memory.js';
import {
  filedAs,
  noDecision,
  noEntry,
  noSession,
  outcomeOf,
  refuseFull,
  refuseOpen,
  refusePassed,
  refuseSettled,
  type Settlement,
  storedSlug,
} from '#core/team/memory-entries.js';
import type { Exchange } from '#core/team/memory-exchange.js';
import { isSameSource, sourceBounds } from '#core/team/row-source.js';
import type { StandingRows } from '#core/team/standing-rows.js';
import { LIMITS } from '#kernel/limits.js';
import type { LedgerMark, SessionChange, SettledEntry, TeamMemory } from '#ports/team-memory.js';
import { decisionOf, entryOf, exchangeRows, memoryOf, sessionOf, stampOf } from './rows.js';

/** A team's memory in `.workgraph/teams.db`, in tables of its own. */
export class SqliteTeamMemory implements TeamMemory {
  private readonly database: Tables;

  constructor(database: Tables) {
    this.database = database;
  }

  remember(memory: NewMemory): Promise<Memory> {
    return this.database.write((database) => keepMemory(database, memory));
  }

  memories(filter: {
    agents?: readonly string[] | undefined;
    types?: readonly MemoryType[] | undefined;
    limit: number;
  }) {
    const { agents, types, limit } = filter;
    const where = [...among('agent', agents), ...among('type', types)];
    const values = [...(agents ?? []), ...(types ?? [])];
    return this.database.read<readonly Memory[]>([], (database) =>
      latest(database, 'memories', where, values, limit).map(memoryOf),
    );
  }

  file(entry: NewEntry) {
    return this.database.write((database) => {
      const [row] = database.all('SELECT * FROM inbox_entries WHERE agent = ? AND slug = ?', entry.agent, entry.slug);
      const existing = row === undefined ? undefined : entryOf(row);
      const filed = filedAs(existing, entry);
      if (existing === undefined) return { entry: addEntry(database, entry), filed };
      if (filed !== 'changed') return { entry: existing, filed };
      const { type, title, content, rationale } = entry;
      database.run(
        'UPDATE inbox_entries SET type = ?, title = ?, content = ?, rationale = ? WHERE number = ?',
        ...[type, title, content, rationale, existing.number],
      );
      return { entry: { ...existing, type, title, content, rationale }, filed };
    });
  }

  entries({ status, limit }: { status?: EntryStatus | undefined; limit: number }): Promise<readonly InboxEntry[]> {
    return this.database.read<readonly InboxEntry[]>([], (database) =>
      byStatus(database, 'inbox_entries', status, limit).map(entryOf),
    );
  }

  settle(number: number, settlement: Settlement): Promise<SettledEntry> {
    return this.database.write((database) => {
      const [row] = database.all('SELECT * FROM inbox_entries WHERE number = ?', number);
      if (row === undefined) throw noEntry(number);
      const entry = entryOf(row);
      refuseSettled(entry);
      const { status, by, at } = settlement;
      const became = status === 'merged' ? keepOutcome(database, outcomeOf(entry, settlement)) : {};
      const reason = settlement.status === 'rejected' ? settlement.reason : undefined;
      database.run(
        'UPDATE inbox_entries SET status = ?, settled_by = ?, settled_at = ?, reason = ? WHERE number = ?',
        ...[status, by, at, reason ?? null, number],
      );
      const settled = { status, settled_by: by, settled_at: at, ...(reason === undefined ? {} : { reason }) };
      return { entry: { ...entry, ...settled }, ...became };
    });
  }

  decide(decision: NewDecision): Promise<Decision> {
    return this.database.write((database) => keepDecision(database, decision));
  }

  decisions({ status, limit }: { status?: DecisionStatus | undefined; limit: number }): Promise<readonly Decision[]> {
    return this.database.read<readonly Decision[]>([], (database) =>
      byStatus(database, 'decisions', status, limit).map(decisionOf),
    );
  }

  archive(number: number): Promise<Decision> {
    return this.database.write((database) => {
      const decision = activeDecision(database, number);
      database.run("UPDATE decisions SET status = 'archived' WHERE number = ?", number);
      return { ...decision, status: 'archived' };
    });
  }

  openSession(session: NewWorkSession): Promise<WorkSession> {
    return this.database.write((database) => keepSession(database, session));
  }

  seed(memories: readonly NewMemory[], session: NewWorkSession): Promise<void> {
    return this.database.write((database) => {
      for (const memory of memories) keepMemory(database, memory);
      if (openOne(database) === undefined) keepSession(database, session);
    });
  }

  currentSession(): Promise<WorkSession | undefined> {
    return this.database.read(undefined, openOne);
  }

  sessions(limit: number): Promise<readonly WorkSession[]> {
    return this.database.read<readonly WorkSession[]>([], (database) =>
      latest(database, 'work_sessions', [], [], limit).map(sessionOf),
    );
  }

  changeSession(change: SessionChange): Promise<WorkSession> {
    return this.database.write((database) => {
      const open = openOne(database);
      if (open === undefined) throw noSession();
      const changed = { ...open, ...change };
      database.run(
        'UPDATE work_sessions SET focus = ?, context = ?, ended_at = ? WHERE number = ?',
        ...[changed.focus, changed.context, changed.ended_at ?? null, changed.number],
      );
      return changed;
    });
  }

  stamp(): Promise<string | undefined> {
    return this.database.read(undefined, stampOf);
  }

  exchange(decide: (rows: StandingRows) => Exchange, stamp: string): Promise<Exchange> {
    return this.database.write((database) => exchangeRows(database, decide, stamp));
  }

  storedMarks(marks: readonly LedgerMark[]): Promise<readonly LedgerMark[]> {
    return this.database.read<readonly LedgerMark[]>([], (database) =>
      marks.filter(
        ({ place, sha256 }) =>
          database.all('SELECT 1 FROM ledger_files WHERE place = ? AND sha256 = ?', place, sha256).length > 0,
      ),
    );
  }

  mark(marks: readonly LedgerMark[]): Promise<void> {
    return this.database.write((database) => {
      for (const { place, sha256 } of marks)
        database.run('INSERT INTO ledger_files VALUES (?, ?) ON CONFLICT DO NOTHING', place, sha256);
    });
  }

  close(): Promise<void> {
    return this.database.close();
  }
}

function keepOutcome(database: Database, outcome: ReturnType<typeof outcomeOf>) {
  return 'decision' in outcome
    ? { decision: keepDecision(database, outcome.decision) }
    : { memory: keepMemory(database, outcome.memory) };
}

function keepMemory(database: Database, memory: NewMemory): Memory {
  const { source, agent, type, importance, content, created_by, created_at } = memory;
  const existing = bySource(database, 'memories', source);
  if (existing !== undefined) return memoryOf(existing);
  refuseFull(count(database, 'memories'), LIMITS.memories, 'memory');
  database.run(
    'INSERT INTO memories (source, agent, type, importance, content, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    ...[source ?? null, agent, type, importance, content, created_by, created_at],
  );
  return { ...memory, number: lastNumber(database) };
}

function keepSession(database: Database, session: NewWorkSession): WorkSession {
  const existing = bySource(database, 'work_sessions', session.source);
  if (existing !== undefined) return sessionOf(existing);
  refuseOpen(openOne(database));
  const { source, focus, context, started_by, started_at } = session;
  database.run(
    'INSERT INTO work_sessions (source, focus, context, started_by, started_at) VALUES (?, ?, ?, ?, ?)',
    ...[source ?? null, focus, context, started_by, started_at],
  );
  return { ...session, number: lastNumber(database) };
}

function addEntry(database: Database, entry: NewEntry): InboxEntry {
  refuseFull(count(database, "inbox_entries WHERE status = 'pending'"), LIMITS.entriesPending, 'pending entry');
  const exists = (slug: string) => database.all('SELECT 1 FROM inbox_entries WHERE stored_slug = ?', slug).length > 0;
  const stored_slug = storedSlug(entry, exists);
  const { agent, slug, type, title, content, rationale, created_by, created_at } = entry;
  database.run(
    "INSERT INTO inbox_entries (agent, slug, stored_slug, type, title, content, rationale, status, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)",
    ...[agent, slug, stored_slug, type, title, content, rationale, created_by, created_at],
  );
  return { ...entry, number: lastNumber(database), stored_slug, status: 'pending' };
}

function keepDecision(database: Database, { supersedes, ...decision }: NewDecision): Decision {
  const { source, type, title, content, rationale, agent, created_by, created_at } = decision;
  const existing = bySource(database, 'decisions', source);
  if (existing !== undefined) return decisionOf(existing);
  const before = supersedes === undefined ? undefined : activeDecision(database, supersedes);
  const active = count(database, "decisions WHERE status = 'active'");
  refuseFull(active - (before ? 1 : 0), LIMITS.decisionsActive, 'active decision');
  database.run(
    "INSERT INTO decisions (source, type, title, content, rationale, agent, status, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, 'active', ?, ?)",
    ...[source ?? null, type, title, content, rationale, agent ?? null, created_by, created_at],
  );
  const number = lastNumber(database);
  if (before !== undefined)
    database.run(
      "UPDATE decisions SET status = 'superseded', superseded_by = ? WHERE number = ?",
      number,
      before.number,
    );
  return { ...decision, number, status: 'active' };
}

function bySource(
  database: Database,
  table: 'memories' | 'decisions' | 'work_sessions',
  source: string | undefined,
): Row | undefined {
  if (source === undefined) return undefined;
  const bounds = sourceBounds(source);
  if (bounds === undefined) return database.all(`SELECT * FROM ${table} WHERE source = ?`, source)[0];
  const near = database.all(`SELECT * FROM ${table} WHERE source >= ? AND source < ?`, ...bounds);
  return near.find((row) => isSameSource(String(row['source']), source));
}

function activeDecision(database: Database, number: number): Decision {
  const [row] = database.all('SELECT * FROM decisions WHERE number = ?', number);
  if (row === undefined) throw noDecision(number);
  const decision = decisionOf(row);
  refusePassed(decision);
  return decision;
}

function openOne(database: Database): WorkSession | undefined {
  const [row] = database.all('SELECT * FROM work_sessions WHERE ended_at IS NULL');
  return row === undefined ? undefined : sessionOf(row);
}

function byStatus(database: Database, table: string, status: string | undefined, limit: number): Row[] {
  return status === undefined
    ? latest(database, table, [], [], limit)
    : latest(database, table, ['status = ?'], [status], limit);
}

/** The condition that a column holds one of some values, if they are said; it is never met by none. */
function among(column: string, values: readonly string[] | undefined): string[] {
  return values === undefined ? [] : [`${column} IN (${values.map(() => '?').join(', ') || 'NULL'})`];
}

/** Table and conditions are ours; every value is bound. */
function latest(
  database: Database,
  table: string,
  where: readonly string[],
  values: readonly string[],
  limit: number,
): Row[] {
  const conditions = where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`;
  const sql = `SELECT * FROM ${table} ${conditions} ORDER BY number DESC LIMIT ?`;
  return database.all(sql, ...values, limit).reverse();
}

function count(database: Database, rows: string): number {
  return Number(database.all(`SELECT count(*) AS count FROM ${rows}`)[0]?.['count'] ?? 0);
}

function lastNumber(database: Database): number {
  return Number(database.all('SELECT last_insert_rowid() AS number')[0]?.['number'] ?? 0);
}
