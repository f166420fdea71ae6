import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { migrationsIn, pendingMigrations } from '#adapters/disk/migration-files.js';
import { sha256 } from '#kernel/hash.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

verifies('fleet.db', 'migrations are numbered files, each applied once and never changed afterwards', () => {
  const folder = room();
  expect(migrationsIn(folder)).toEqual([]);
  const files = [
    '0010_later.sql',
    '0002_more_2.sql',
    '0001_first.sql',
    '1_short.sql',
    '0003_Big.sql',
    '0004_x.sql.bak',
  ];
  for (const name of files) writeFileSync(path.join(folder, name), `-- ${name}`);
  const of = (version: number, name: string) => {
    const sql = `-- ${name}`;
    return { version, name, sql, sha256: sha256(sql) };
  };
  const [first, second, third] = [of(1, '0001_first.sql'), of(2, '0002_more_2.sql'), of(10, '0010_later.sql')];
  const migrations = migrationsIn(folder);
  expect(migrations).toEqual([first, second, third]);
  const pending = (...applied: [number, string][]) => pendingMigrations(migrations, new Map(applied), 'the database');
  expect(pending()).toEqual([first, second, third]);
  expect(pending([2, second.sha256])).toEqual([first, third]);
  expect(pending([1, first.sha256], [2, second.sha256], [10, third.sha256])).toEqual([]);
  const changed = expect.objectContaining({
    code: 'migration_changed',
    message: expect.stringContaining('Step 2 of the database is not'),
  });
  expect(() => pending([1, first.sha256], [2, first.sha256])).toThrow(changed);
  expect(() => pending([2, 'other'])).toThrow(changed);
});
