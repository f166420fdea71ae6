import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';

/** Migration step of a database. */
export interface MigrationFile {
  readonly version: number;
  readonly name: string;
  readonly sql: string;
  readonly sha256: string;
}

/** Numbered SQL files of a folder, in order. */
export function migrationsIn(folder: string): MigrationFile[] {
  const names = readdirSync(folder).filter((name) => /^\d{4}_[a-z0-9_]+\.sql$/.test(name));
  return names.sort().map((name) => {
    const sql = readFileSync(path.join(folder, name), 'utf8');
    return { version: Number(name.slice(0, 4)), name, sql, sha256: sha256(sql) };
  });
}

/** Migrations not in `applied` (hashes by version). Errors: `migration_changed` if an applied one differs. */
export function pendingMigrations(
  migrations: readonly MigrationFile[],
  applied: ReadonlyMap<number, string>,
  database: string,
): readonly MigrationFile[] {
  for (const [version, hash] of applied) {
    if (migrations.some((migration) => migration.version === version && migration.sha256 === hash)) continue;
    throw new TroupeError('migration_changed', {
      what: `Step ${version} of ${database} is not the one this version knows.`,
    });
  }
  return migrations.filter(({ version }) => !applied.has(version));
}
