/**
 * What a team's members propose, and what of its memory waits for its file, in `teams.db`.
 * @packageDocumentation
 */
import { corrupt, type Database, type Row } from '#adapters/teams-database/database.js';
import type { Tables } from '#adapters/teams-database/tables.js';
import { ENTRY_STATUSES, ENTRY_TYPES, type EntryStatus, type InboxEntry, type NewEntry } from '#core/memory/memory.js';
import {
  filedAs,
  noEntry,
  refuseFull,
  refuseSettled,
  type Settlement,
  storedSlug,
} from '#core/memory/memory-entries.js';
import { LIMITS } from '#kernel/limits.js';
import type { LedgerMark, TeamInbox } from '#ports/team-inbox.js';

/** The inbox of a team in `.workgraph/teams.db`, in tables of its own. */
export class SqliteTeamInbox implements TeamInbox {
  private readonly database: Tables;

  constructor(database: Tables) {
    this.database = database;
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

  async entry(number: number): Promise<InboxEntry> {
    const entry = await this.database.read(undefined, (database) => entryAt(database, number));
    if (entry === undefined) throw noEntry(number);
    return entry;
  }

  entries({ status, limit }: { status?: EntryStatus | undefined; limit: number }): Promise<readonly InboxEntry[]> {
    const [where, values] = status === undefined ? ['', []] : ['WHERE status = ?', [status]];
    const sql = `SELECT * FROM inbox_entries ${where} ORDER BY number DESC LIMIT ?`;
    return this.database.read<readonly InboxEntry[]>([], (database) =>
      database
        .all(sql, ...values, limit)
        .reverse()
        .map(entryOf),
    );
  }

  settle(number: number, settlement: Settlement): Promise<InboxEntry> {
    return this.database.write((database) => {
      const entry = entryAt(database, number);
      if (entry === undefined) throw noEntry(number);
      refuseSettled(entry);
      const { status, by, at } = settlement;
      const reason = settlement.status === 'rejected' ? settlement.reason : undefined;
      database.run(
        'UPDATE inbox_entries SET status = ?, settled_by = ?, settled_at = ?, reason = ? WHERE number = ?',
        ...[status, by, at, reason ?? null, number],
      );
      return { ...entry, status, settled_by: by, settled_at: at, ...(reason === undefined ? {} : { reason }) };
    });
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

  waiting(): Promise<readonly string[]> {
    return this.database.read<readonly string[]>([], (database) =>
      database.all('SELECT line FROM waiting_lines ORDER BY number').map((row) => String(row['line'])),
    );
  }

  wait(lines: readonly string[]): Promise<void> {
    return this.database.write((database) => {
      for (const line of lines)
        database.run('INSERT INTO waiting_lines (line) VALUES (?) ON CONFLICT (line) DO NOTHING', line);
    });
  }

  release(lines: readonly string[]): Promise<void> {
    return this.database.write((database) => {
      for (const line of lines) database.run('DELETE FROM waiting_lines WHERE line = ?', line);
    });
  }

  close(): Promise<void> {
    return this.database.close();
  }
}

function addEntry(database: Database, entry: NewEntry): InboxEntry {
  const [pending] = database.all("SELECT count(*) AS count FROM inbox_entries WHERE status = 'pending'");
  refuseFull(Number(pending?.['count']), LIMITS.entriesPending, 'pending entry');
  const exists = (slug: string) => database.all('SELECT 1 FROM inbox_entries WHERE stored_slug = ?', slug).length > 0;
  const stored_slug = storedSlug(entry, exists);
  const { agent, slug, type, title, content, rationale, created_by, created_at } = entry;
  database.run(
    "INSERT INTO inbox_entries (agent, slug, stored_slug, type, title, content, rationale, status, created_by, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?)",
    ...[agent, slug, stored_slug, type, title, content, rationale, created_by, created_at],
  );
  const [made] = database.all('SELECT last_insert_rowid() AS number');
  return { ...entry, number: Number(made?.['number']), stored_slug, status: 'pending' };
}

function entryAt(database: Database, number: number): InboxEntry | undefined {
  const [row] = database.all('SELECT * FROM inbox_entries WHERE number = ?', number);
  return row && entryOf(row);
}

/** A row of the table; a word this version does not know is `data_corrupt`, never a default. */
function entryOf(row: Row): InboxEntry {
  const at = row['settled_at'];
  return {
    number: Number(row['number']),
    agent: String(row['agent']),
    slug: String(row['slug']),
    stored_slug: String(row['stored_slug']),
    type: word(row, 'type', ENTRY_TYPES),
    title: String(row['title']),
    content: String(row['content']),
    rationale: String(row['rationale']),
    status: word(row, 'status', ENTRY_STATUSES),
    created_by: String(row['created_by']),
    created_at: Number(row['created_at']),
    ...(row['settled_by'] === null ? {} : { settled_by: String(row['settled_by']) }),
    ...(at === null ? {} : { settled_at: Number(at) }),
    ...(row['reason'] === null ? {} : { reason: String(row['reason']) }),
  };
}

function word<Word extends string>(row: Row, column: string, words: readonly Word[]): Word {
  const match = words.find((candidate) => candidate === row[column]);
  if (match === undefined) throw corrupt('inbox_entries', row['number'], column, row[column]);
  return match;
}
