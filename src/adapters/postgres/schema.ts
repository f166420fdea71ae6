import { type MigrationFile, migrationsIn, pendingMigrations } from '#adapters/disk/migration-files.js';
import { TroupeError } from '#kernel/errors.js';
import type { PostgresDatabase, SqlQueries } from './database.js';
import { refuseReading } from './reading.js';
import { WriterTurn } from './turn.js';

const NAME = 'the database';

/**
 * Creates or migrates the tables of a project: applies each numbered file of `folder` once and records its hash, all in
 * one transaction. Returns whether the tables are new, and the applied files. Errors: `schema_newer`,
 * `migration_changed`, `database_refused`, `database_read_only`.
 */
export async function migrateDatabase(
  database: PostgresDatabase,
  folder: string,
): Promise<{ created: boolean; steps: readonly string[] }> {
  await refuseReading(database);
  const migrations = migrationsIn(folder);
  return await database.transaction(async (queries) => {
    await queries.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [database.schema]);
    await refuseOtherEncodings(queries);
    // Checked first, because even `IF NOT EXISTS` needs the permission to create schemas, which a user of an existing
    // one may lack.
    const { rowCount } = await queries.query('SELECT FROM pg_namespace WHERE nspname = $1', [database.schema]);
    if (rowCount === 0) await queries.query(`CREATE SCHEMA ${database.schema}`);
    await queries.query(
      'CREATE TABLE IF NOT EXISTS migrations (version integer PRIMARY KEY, name text NOT NULL, sha256 text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())',
    );
    const applied = await appliedIn(queries);
    const pending = pendingIn(migrations, applied);
    for (const { version, name, sql, sha256 } of pending) {
      await queries.query(sql);
      await queries.query('INSERT INTO migrations (version, name, sha256) VALUES ($1, $2, $3)', [
        version,
        name,
        sha256,
      ]);
    }
    return { created: applied.size === 0, steps: pending.map(({ name }) => name) };
  });
}

/** Empties the tables of a project that was moved elsewhere, so they can be filled again. Does nothing to others. */
export async function emptyRetired(database: PostgresDatabase): Promise<void> {
  await new WriterTurn(database).look(async (queries, { state }) => {
    if (state !== 'retired') return;
    const { rows } = await queries.query<{ name: string }>(
      "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = $1 AND tablename NOT IN ('head', 'migrations')",
      [database.schema],
    );
    await queries.query(`TRUNCATE ${rows.map(({ name }) => name).join(', ')} RESTART IDENTITY`);
    await queries.query("UPDATE head SET state = 'empty', seq = 0, last_id = NULL");
  });
}

/**
 * Rejects a missing project or one with another schema version. Errors: `not_initialized`, `database_older`,
 * `schema_newer`, `migration_changed`.
 */
export async function refuseOtherSchema(database: PostgresDatabase, folder: string): Promise<void> {
  await refuseOther(database, folder, 'migrations');
}

/** The same check for a worker, which has no access to tables. */
export async function refuseOtherWorkerSchema(database: PostgresDatabase, folder: string): Promise<void> {
  await refuseReading(database);
  await refuseOther(database, folder, 'worker_migrations()');
}

async function refuseOther(database: PostgresDatabase, folder: string, rows: string): Promise<void> {
  if (pendingIn(migrationsIn(folder), await appliedIn(database, rows)).length > 0)
    throw new TroupeError('database_older');
}

function pendingIn(
  migrations: readonly MigrationFile[],
  applied: ReadonlyMap<number, string>,
): readonly MigrationFile[] {
  const newest = Math.max(...migrations.map(({ version }) => version));
  if ([...applied.keys()].some((version) => version > newest))
    throw new TroupeError('schema_newer', {
      what: 'The project in the database was made by a newer version of Troupe: nothing was changed.',
      hint: 'Update Troupe on this machine.',
    });
  return pendingMigrations(migrations, applied, NAME);
}

async function appliedIn(queries: SqlQueries, from = 'migrations'): Promise<ReadonlyMap<number, string>> {
  const { rows } = await queries.query<{ version: number; sha256: string }>(
    `SELECT version, sha256 FROM ${from} ORDER BY version`,
  );
  return new Map(rows.map(({ version, sha256 }) => [version, sha256]));
}

/** Rejects encodings other than UTF-8: lines are stored unchanged, in any script. */
async function refuseOtherEncodings(queries: SqlQueries): Promise<void> {
  const { rows } = await queries.query<{ server_encoding: string }>('SHOW server_encoding');
  if (rows[0]?.server_encoding !== 'UTF8')
    throw new TroupeError('database_refused', {
      what: 'The database does not keep its text as UTF-8: nothing was changed.',
      hint: "Create one with ENCODING 'UTF8'.",
    });
}
