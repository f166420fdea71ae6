import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteBusStore } from '#adapters/bus/sqlite-bus-store.js';
import { SqliteOutbox } from '#adapters/outbox/sqlite-outbox.js';
import { SqliteTeamStore } from '#adapters/teams/sqlite-team-store.js';
import { openDatabase } from '#adapters/teams-database/database.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { createTeam, endTeam } from '#core/teams/changes.js';
import { busStoreContract } from '../../contract/bus-store.js';
import { Calls, PERSON } from '../../core/bus/stage.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');

function place() {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const database = () => {
    const opened = new TeamsDatabase({ folder, migrations: MIGRATIONS, clock: { now: () => 1_000 } });
    onTestFinished(() => opened.close());
    return opened;
  };
  const open = () => new SqliteBusStore(database());
  return { file: path.join(folder, 'teams.db'), open, database };
}

busStoreContract('SQLite', () => {
  const { open, database } = place();
  const team = async (status: 'active' | 'archived') => {
    const store = new SqliteTeamStore(database());
    const wish = { id: 't-1', leaderId: 'l-1', name: 'Airlock', leader: 'Ripley', description: '', mesh: true };
    const call = { by: 'ann', at: 1 };
    await store.change((view) => createTeam(view, { ...wish, reserved: 'project' }, call));
    if (status === 'archived') await store.change((view) => endTeam(view, 't-1', { status, hasGraph: false }, call));
  };
  return { bus: open(), outbox: new SqliteOutbox(database()), again: open, team };
});

test('looking makes no file', async () => {
  const { file, open } = place();
  const bus = open();
  expect([await bus.taskMail(), await bus.open(), await bus.undelivered(5), await bus.ofTask('a')]).toEqual([
    ...[[], [], [], undefined],
  ]);
  await bus.commitTurn('a', 1);
  await bus.show('a', 1, []);
  expect(existsSync(file)).toBe(false);
});

verifies('team.db.unknown-status', 'a state, a kind or a type that is not known is an error', async () => {
  const { file, open } = place();
  await open().change(new Calls().send(PERSON, 'om'));
  const corrupted = async (table: string, column: string) => {
    const database = await openDatabase(file);
    const [before] = database.all(`SELECT ${column} AS word FROM ${table}`);
    const write = (word: string) => {
      database.script('PRAGMA ignore_check_constraints = ON');
      database.run(`UPDATE ${table} SET ${column} = ?`, word);
    };
    write('zombie');
    const failure = await open()
      .inbox('om', { limit: 5 })
      .then(() => open().conversations(undefined, 5))
      .catch((error: unknown) => error);
    write(String(before?.['word']));
    database.close();
    return failure;
  };
  for (const [table, column] of [
    ['conversations', 'state'],
    ['conversations', 'kind'],
    ['messages', 'type'],
  ] as const)
    expect(await corrupted(table, column)).toMatchObject({
      code: 'data_corrupt',
      message: expect.stringContaining(`${column} has unknown value zombie`),
    });
});
