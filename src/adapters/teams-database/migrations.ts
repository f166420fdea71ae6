import { renameSync, rmSync } from 'node:fs';
import { migrationsIn, pendingMigrations } from '#adapters/disk/migration-files.js';
import { TroupeError } from '#kernel/errors.js';
import { freshId } from '#kernel/hash.js';
import type { Database } from './database.js';

/**
 * Whether a database is as this version makes it. Only reads. Errors: `schema_newer`, `migration_changed`; what SQLite says of a
 * file that is none of its own.
 */
export function isCurrent(database: Database, folder: string): boolean {
  const migrations = migrationsIn(folder);
  if (userVersion(database) > (migrations.at(-1)?.version ?? 0)) throw new TroupeError('schema_newer');
  const pending = pendingMigrations(migrations, stepsIn(database), 'teams.db');
  return pending.length === 0 && journalMode(database) === 'wal';
}

/**
 * Brings a database up to what this version knows: each numbered file once, with its hash recorded, all of them in one
 * transaction, so that whoever opens it meanwhile sees none of them or all. A database of a newer version is not touched;
 * before an older one is changed it is copied beside itself.
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
  const draft = `${earlier}.${freshId()}`; // others may be copying it too
  if (before.size > 0) copy(database, draft);
  try {
    database.transaction(() => {
      const done = applied(database);
      if (done.size === migrations.length) return; // another process was first, and the copy is its
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

/** The steps that were applied, with their hashes; none in an empty file. A file with tables of another program is refused. */
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
