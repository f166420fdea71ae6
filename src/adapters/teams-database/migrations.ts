import { renameSync, rmSync } from 'node:fs';
import { migrationsIn, pendingMigrations } from '#adapters/disk/migration-files.js';
import { TroupeError } from '#kernel/errors.js';
import { freshId } from '#kernel/hash.js';
import type { Database } from './database.js';

/**
 * Whether a database has this version's schema. Read-only. Errors: `schema_newer`, `migration_changed`; SQLite's errors
 * for a file that is not a database are rethrown.
 */
export function isCurrent(database: Database, folder: string): boolean {
  const migrations = migrationsIn(folder);
  if (userVersion(database) > (migrations.at(-1)?.version ?? 0)) throw new TroupeError('schema_newer');
  const pending = pendingMigrations(migrations, stepsIn(database), 'teams.db');
  return pending.length === 0 && journalMode(database) === 'wal';
}

/**
 * Migrates a database: applies each numbered file once and records its hash, all in one transaction, so other processes
 * see none or all of the changes. Copies an older database beside itself first. A database of a newer version must be
 * rejected before by `isCurrent`.
 */
export function migrate(database: Database, places: { folder: string; file: string; now: () => number }): void {
  const migrations = migrationsIn(places.folder);
  const newest = migrations.at(-1)?.version ?? 0;
  database.all('PRAGMA journal_mode = WAL');
  database.script(
    'CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT',
  );
  const before = applied(database);
  const earlier = `${places.file}.before-${newest}`;
  const draft = `${earlier}.${freshId()}`; // others may copy at the same time
  if (before.size > 0) copy(database, draft);
  try {
    database.transaction(() => {
      const done = applied(database);
      if (done.size === migrations.length) return; // another process was first and made the copy
      if (before.size > 0) renameSync(draft, earlier);
      for (const { version, name, sql, sha256: hash } of migrations) {
        if (done.has(version)) continue;
        database.script(sql);
        database.run('INSERT INTO migrations VALUES (?, ?, ?, ?)', version, name, hash, places.now());
        database.script(`PRAGMA user_version = ${version}`);
      }
    });
  } finally {
    rmSync(draft, { force: true });
  }
}

function applied(database: Database): Map<number, string> {
  const rows = database.all('SELECT version, sha256 FROM migrations ORDER BY version');
  return new Map(rows.map(({ version, sha256: hash }) => [Number(version), String(hash)]));
}

/** Applied migrations with their hashes; none in an empty file. Errors: `data_corrupt` for another program's tables. */
function stepsIn(database: Database): Map<number, string> {
  const columns = database.all("SELECT name FROM pragma_table_info('migrations') WHERE name IN ('version', 'sha256')");
  if (columns.length === 2) return applied(database);
  if (database.all('SELECT 1 FROM sqlite_master').length === 0) return new Map();
  throw new TroupeError('data_corrupt', {
    what: 'teams.db belongs to another program: Troupe did not make its tables.',
  });
}

function journalMode(database: Database): string {
  return String(database.all('PRAGMA journal_mode')[0]?.['journal_mode'] ?? '');
}

function userVersion(database: Database): number {
  return Number(database.all('PRAGMA user_version')[0]?.['user_version'] ?? 0);
}

function copy(database: Database, file: string): void {
  rmSync(file, { force: true });
  database.run('VACUUM INTO ?', file);
}
