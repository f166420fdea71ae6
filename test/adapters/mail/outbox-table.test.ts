import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { OutboxTable } from '#adapters/mail/outbox-table.js';
import { TeamTables } from '#adapters/teams/team-tables.js';
import { openDatabase } from '#adapters/teams-database/database.js';
import type { OutboxRow } from '#core/mail/outbox.js';
import { EMPTY_TEAM_PLAN } from '#core/teams/changes.js';
import { withoutQueries } from '#kernel/query.js';
import { outboxContract } from '../../contract/outbox.js';
import { verifies } from '../../verifies.js';
import { teamsPlace } from './place.js';

function place() {
  const { file, database } = teamsPlace();
  const teams = new TeamTables(database());
  const write = (rows: readonly OutboxRow[]) =>
    teams.change(() => withoutQueries({ ...EMPTY_TEAM_PLAN, outbox: rows, result: undefined }));
  return { file, write, open: () => new OutboxTable(database()) };
}

outboxContract('SQLite', () => {
  const { write, open } = place();
  return { outbox: open(), write, again: open };
});

test('looking makes no file', async () => {
  const { file, open } = place();
  expect(await open().pending(5)).toEqual([]);
  expect(existsSync(file)).toBe(false);
});

verifies('team.db.unknown-status', 'an operation or arguments that are not known are an error', async () => {
  const { file, write, open } = place();
  await write([{ id: 'o-1', op: 'task.message', args: { task_id: 'a', from: 'ann', kind: 'person', number: 1 } }]);
  const edited = async (sql: string) => {
    const database = await openDatabase(file);
    database.script(sql);
    database.close();
    return await open()
      .pending(5)
      .catch((error: unknown) => error);
  };
  expect(await edited(`UPDATE outbox SET args_json = '{"task_id":"a","exec":"x"}'`)).toMatchObject({
    code: 'data_corrupt',
  });
  expect(await edited("UPDATE outbox SET op = 'task.exec'")).toMatchObject({
    code: 'data_corrupt',
    message: 'teams.db outbox o-1: op has unknown value task.exec',
  });
});
