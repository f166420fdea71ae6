import path from 'node:path';
import { expect, test } from 'vitest';
import * as mail from '#adapters/mail/mail-statements.js';
import * as inbox from '#adapters/team-inbox/inbox-statements.js';
import * as artifacts from '#adapters/teams/artifact-statements.js';
import * as sessions from '#adapters/teams/session-statements.js';
import * as talk from '#adapters/teams/talk-statements.js';
import * as teams from '#adapters/teams/team-statements.js';
import { db, statement } from '#adapters/teams-database/building.js';
import { openDatabase } from '#adapters/teams-database/database.js';
import * as messages from '#adapters/teams-database/message-statements.js';
import { migrate } from '#adapters/teams-database/migrations.js';
import * as outbox from '#adapters/teams-database/outbox-statements.js';
import * as requests from '#adapters/teams-database/request-statements.js';
import { perform, type Statement } from '#adapters/teams-database/statement.js';

const STATEMENTS = Object.entries({
  ...{ ...mail, ...inbox, ...artifacts, ...sessions, ...talk, ...teams, ...messages, ...outbox, ...requests },
}) as readonly (readonly [string, Statement<object, unknown>])[];
const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');

test('every statement is plain data that SQLite understands, with as many values as it has places', async () => {
  const database = await openDatabase(':memory:');
  migrate(database, { folder: MIGRATIONS, file: ':memory:', now: () => 0 });
  for (const [name, one] of STATEMENTS) {
    expect(JSON.parse(JSON.stringify(one)), name).toEqual(one);
    expect([one.text.length, typeof one.answers], name).toEqual([one.of.length + 1, 'boolean']);
    const plan = database.all(`EXPLAIN QUERY PLAN ${one.text.join('?')}`, ...one.of.map(() => 1));
    expect(plan, name).toBeInstanceOf(Array);
  }
  expect(STATEMENTS.length).toBeGreaterThan(80);
  await database.close();
});

test('no statement walks a table of messages but the one that looks for what nobody was given', async () => {
  const database = await openDatabase(':memory:');
  migrate(database, { folder: MIGRATIONS, file: ':memory:', now: () => 0 });
  const walks = STATEMENTS.filter(([, { text, of }]) =>
    database
      .all(`EXPLAIN QUERY PLAN ${text.join('?')}`, ...of.map(() => 1))
      .some(({ detail }) => /^SCAN (m|r|messages|recipients|cursors|outbox)$/.test(String(detail))),
  );
  expect(walks.map(([name]) => name)).toEqual(['UNDELIVERED']);
  await database.close();
});

test('values stand where they are named, as often as they are, and constants in the text', () => {
  const one = statement(({ reader, seq }: { reader: string; seq: number }) =>
    db
      .updateTable('cursors')
      .set({ last_seq: seq })
      .where('recipient', '=', reader)
      .where('conversation_id', '=', "it's")
      .where('last_seq', '<', seq),
  );
  const text = [
    'update "cursors" set "last_seq" = ',
    ' where "recipient" = ',
    ' and "conversation_id" = \'it\'\'s\' and "last_seq" < ',
    '',
  ];
  expect(one).toEqual({ text, of: ['seq', 'reader', 'seq'], answers: false });
  const asked = perform(one, { reader: 'r', seq: 3 }).next();
  expect(asked.value).toEqual({ text, answers: false, values: [3, 'r', 3] });
});
