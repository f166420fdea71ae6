import { connect } from 'node:net';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { rolesOf } from '#adapters/postgres/roles.js';
import { migrateDatabase } from '#adapters/postgres/schema.js';
import { WriterTurn } from '#adapters/postgres/turn.js';
import { freshId } from '#kernel/hash.js';
import { ASKED_AT } from './postgres-server.js';

/** Folder of the shipped migrations of a project's tables. */
export const MIGRATIONS = path.resolve(import.meta.dirname, '../data/database');

/**
 * Address of a server that all tests share, each in a project of its own; undefined if the machine has none. In the
 * pipeline, a missing server is a failure.
 */
export async function postgresAddress(): Promise<string | undefined> {
  const answer = await answerOf(path.join(process.env['TROUPE_TEST_ROOM'] ?? '', ASKED_AT));
  if (!answer.startsWith('none: ')) return answer;
  if (process.env['CI'] === 'true') throw new Error(`There is no PostgreSQL to test with: ${answer.slice(6)}`);
  process.stderr.write(`Tests of PostgreSQL are skipped: ${answer.slice(6)}\n`);
  return undefined;
}

/** Name of a fresh project, which is removed when the test ends. */
export function freshProject(address: string): string {
  const project = `test_${freshId().replace(/\W/g, '').slice(-20).toLowerCase()}`;
  onTestFinished(async () => {
    const database = await PostgresDatabase.of(address, project);
    await database.query(`DROP SCHEMA IF EXISTS ${database.schema} CASCADE`);
    await database.query(`DROP ROLE IF EXISTS ${Object.values(rolesOf(database.schema)).join(', ')}`);
    await database.close();
  });
  return project;
}

/** A project with empty tables, and a connection that is closed when the test ends. */
export async function freshDatabase(address: string): Promise<PostgresDatabase> {
  const database = await PostgresDatabase.of(address, freshProject(address));
  onTestFinished(() => database.close());
  await migrateDatabase(database, MIGRATIONS);
  await new WriterTurn(database).fill(async () => undefined);
  return database;
}

function answerOf(socket: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const caller = connect(socket);
    caller.on('data', (data) => {
      text += data.toString();
    });
    caller.on('end', () => resolve(text));
    caller.on('error', reject);
  });
}
