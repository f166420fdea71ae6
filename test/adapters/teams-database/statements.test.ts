import path from 'node:path';
import { expect, test } from 'vitest';
import { db, statement } from '#adapters/teams-database/building.js';
import { openDatabase } from '#adapters/teams-database/database.js';
import { migrate } from '#adapters/teams-database/migrations.js';
import { perform } from '#adapters/teams-database/statement.js';
import { STATEMENTS } from './all-statements.js';

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

test('no statement walks a table of messages but the search of the latest, and what looks for what nobody was given', async () => {
  const database = await openDatabase(':memory:');
  migrate(database, { folder: MIGRATIONS, file: ':memory:', now: () => 0 });
  const walks = STATEMENTS.filter(([, { text, of }]) =>
    database
      .all(`EXPLAIN QUERY PLAN ${text.join('?')}`, ...of.map(() => 1))
      .some(({ detail }) => /^SCAN (m|r|messages|recipients|cursors|outbox)$/.test(String(detail))),
  );
  expect(walks.map(([name]) => name)).toEqual(['MESSAGES_WITH', 'UNDELIVERED']);
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
