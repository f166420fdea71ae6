import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { busAnswersIn } from '#adapters/bus/bus-rows.js';
import { SqliteBusStore } from '#adapters/bus/sqlite-bus-store.js';
import { SqliteMessages } from '#adapters/messages/sqlite-messages.js';
import { SqliteOutbox } from '#adapters/outbox/sqlite-outbox.js';
import { SqliteTeamStore } from '#adapters/teams/sqlite-team-store.js';
import { openDatabase } from '#adapters/teams-database/database.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import type { TeamStatus } from '#core/teams/team.js';
import { LIMITS } from '#kernel/limits.js';
import { airlock, busStoreContract } from '../../contract/bus-store.js';
import { Calls, PERSON } from '../../core/bus/stage.js';
import { FREE_TURN } from '../../free-turn.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');

function place() {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const database = () => {
    const opened = new TeamsDatabase({
      turn: FREE_TURN,
      copies: path.join(folder, 'copies'),
      folder,
      migrations: MIGRATIONS,
      clock: { now: () => 1_000 },
    });
    onTestFinished(() => opened.close());
    return opened;
  };
  const open = () => new SqliteBusStore(database());
  return { file: path.join(folder, 'teams.db'), open, database };
}

busStoreContract('SQLite', () => {
  const { open, database } = place();
  const team = (status: TeamStatus) => airlock(new SqliteTeamStore(database()), status);
  return { bus: open(), outbox: new SqliteOutbox(database()), again: open, team };
});

test('looking makes no file', async () => {
  const { file, open } = place();
  const bus = open();
  expect([await bus.taskMail(), await bus.open(), await bus.undelivered(5), await bus.ofTask('a')]).toEqual([
    ...[[], [], [], undefined],
  ]);
  expect(await bus.cursor('human/ann', 'none')).toBe(0);
  await bus.commitTurn('a', 1);
  await bus.show('a', 1, []);
  expect(existsSync(file)).toBe(false);
});

test('of what is not there is nothing', async () => {
  const { database } = place();
  const found = await database().write((written) => {
    const answers = busAnswersIn(written);
    return [
      answers.teamStatus('none'),
      answers.lastNumber('none'),
      answers.latestRound('none'),
      answers.unread('none'),
    ];
  });
  expect(found).toEqual([undefined, 0, 0, 0]);
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

verifies(
  'sec.mail',
  'what another program put there, empty or huge, is in quarantine: the rest is delivered',
  async () => {
    const { file, open, database: shared } = place();
    const calls = new Calls();
    const sent: string[] = [];
    for (let count = 0; count < 4; count++) sent.push((await open().change(calls.send(PERSON, 'om'))).message);
    const [empty, huge, small, plain] = sent as [string, string, string, string];
    const messages = new SqliteMessages(shared());
    const message = { conversation: 'task:t', sender: 'human/bo', sender_name: 'bo', speaks_for: 'human/bo' };
    const to = { task: 't', holder: 'task/t' };
    const by = { from: 'bo', kind: 'person' } as const;
    for (const id of ['ours', 'theirs'])
      await messages.send({ ...message, id, body: 'x', priority: 'normal', created_at: 5 }, to, by);

    const database = await openDatabase(file);
    const write = (id: string, body: string) => database.run('UPDATE messages SET body = ? WHERE id = ?', body, id);
    write(empty, '');
    write(huge, 'x'.repeat(LIMITS.messageStoredBytes + 1));
    write(small, 'x'.repeat(LIMITS.messageStoredBytes));
    write('theirs', '');
    database.close();

    const bus = open();
    expect((await bus.inbox('om', { limit: 9 })).map(({ id }) => id)).toEqual([small, plain]);
    expect((await bus.taskMail()).flatMap(({ unread }) => unread)).toHaveLength(2);
    for (const { message: id, conversation, quarantined } of await bus.undelivered(9)) {
      expect(quarantined, id).toBe([empty, huge, 'theirs'].includes(id));
      expect(await bus.messages(conversation, { after: 0, limit: 9 }), id).toHaveLength(
        quarantined && id !== 'theirs' ? 0 : 1,
      );
    }
    expect((await bus.undelivered(9)).map(({ message: id }) => id)).toEqual([...sent, 'theirs']);
    expect((await messages.list('task:t', { limit: 9 })).map(({ id }) => id)).toEqual(['ours']);
    expect((await messages.unread(9)).flatMap((one) => one.messages.map(({ id }) => id))).toEqual(['ours']);
  },
);
