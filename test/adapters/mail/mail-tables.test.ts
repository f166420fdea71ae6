import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { MAIL_ANSWERS } from '#adapters/mail/mail-rows.js';
import { MailTables } from '#adapters/mail/mail-tables.js';
import { OutboxTable } from '#adapters/mail/outbox-table.js';
import { TeamTables } from '#adapters/teams/team-tables.js';
import { openDatabase } from '#adapters/teams-database/database.js';
import type { TeamStatus } from '#core/teams/team.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { airlock, mailStoreContract } from '../../contract/mail-store.js';
import { taskTalkContract } from '../../contract/task-talk.js';
import { Calls, PERSON } from '../../core/mail/stage.js';
import { said } from '../../said.js';
import { verifies } from '../../verifies.js';
import { teamsPlace } from './place.js';

function place() {
  const { file, database } = teamsPlace();
  const open = () => new MailTables(database());
  return { file, open, database };
}

mailStoreContract('SQLite', () => {
  const { open, database } = place();
  const team = (status: TeamStatus) => airlock(new TeamTables(database()), status);
  return { mail: open(), outbox: new OutboxTable(database()), again: open, team };
});

taskTalkContract('SQLite', () => {
  const { open, database } = place();
  return { mail: open(), outbox: new OutboxTable(database()), again: open };
});

test('looking makes no file', async () => {
  const { file, open } = place();
  const mail = open();
  expect([
    await mail.taskMail(),
    await mail.open(),
    await mail.undelivered(5),
    await mail.ofTask('a'),
    await mail.unreadTalk(5),
  ]).toEqual([...[[], [], [], undefined, []]]);
  expect(await mail.cursor('human/ann', 'none')).toBe(0);
  await mail.commitTurn('a', 1);
  await mail.show('a', 1, []);
  expect(existsSync(file)).toBe(false);
});

test('of what is not there is nothing', async () => {
  const { database } = place();
  const found = await database().write(function* () {
    return [
      yield* MAIL_ANSWERS.teamStatus('none'),
      yield* MAIL_ANSWERS.lastNumber('none'),
      yield* MAIL_ANSWERS.latestRound('none'),
      yield* MAIL_ANSWERS.unreadAtLeast('none', 0),
      yield* MAIL_ANSWERS.unreadAtLeast('none', 1),
    ];
  });
  expect(found).toEqual([undefined, 0, 0, 0, undefined]);
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
    const { file, open } = place();
    const calls = new Calls();
    const sent: string[] = [];
    for (let count = 0; count < 4; count++) sent.push((await open().change(calls.send(PERSON, 'om'))).message);
    const [empty, huge, small, plain] = sent as [string, string, string, string];
    for (const id of ['ours', 'theirs']) await open().change(said(id, 't'));

    const database = await openDatabase(file);
    const write = (id: string, body: string) => database.run('UPDATE messages SET body = ? WHERE id = ?', body, id);
    write(empty, '');
    write(huge, 'x'.repeat(TEAM_LIMITS.messageStoredBytes + 1));
    write(small, 'x'.repeat(TEAM_LIMITS.messageStoredBytes));
    write('theirs', '');
    database.close();

    const mail = open();
    expect((await mail.inbox('om', { limit: 9 })).map(({ id }) => id)).toEqual([small, plain]);
    expect((await mail.taskMail()).flatMap(({ unread }) => unread)).toHaveLength(2);
    for (const { message: id, conversation, quarantined } of await mail.undelivered(9)) {
      expect(quarantined, id).toBe([empty, huge, 'theirs'].includes(id));
      expect(await mail.messages(conversation, { after: 0, limit: 9 }), id).toHaveLength(
        quarantined && id !== 'theirs' ? 0 : 1,
      );
    }
    expect((await mail.undelivered(9)).map(({ message: id }) => id)).toEqual([...sent, 'theirs']);
    expect((await mail.messages('task:t', { limit: 9 })).map(({ id }) => id)).toEqual(['ours']);
    expect((await mail.unreadTalk(9)).flatMap((one) => one.messages.map(({ id }) => id))).toEqual(['ours']);
  },
);

verifies('sec.mail', 'what is in quarantine fills no inbox', async () => {
  const { file, open } = place();
  const calls = new Calls();
  const send = () => open().change(calls.send(PERSON, 'om'));
  for (let count = 0; count < TEAM_LIMITS.messagesUnread; count++) await send();
  await expect(send()).rejects.toMatchObject({ code: 'inbox_full' });
  const database = await openDatabase(file);
  database.run("UPDATE messages SET body = '' WHERE seq = 1 AND id = (SELECT min(id) FROM messages)");
  await database.close();
  await send();
  const full = { code: 'inbox_full', details: { id: 'om', unread: TEAM_LIMITS.messagesUnread } };
  await expect(send()).rejects.toMatchObject(full);
});

test('nothing has been read where nothing was ever written, and what is unread is asked for anew', async () => {
  const { open } = place();
  const [mine, other] = [open(), open()];
  expect(await mine.cursor('human/ann', 'c')).toBe(0);
  await mine.change(said('m1'));
  expect(await mine.cursor('human/ann', 'task:a')).toBe(0);
  const told = async () => (await mine.unreadTalk(9)).flatMap(({ messages }) => messages.map(({ id }) => id));
  expect([await told(), await told()]).toEqual([['m1'], ['m1']]);
  await other.change(said('m2'));
  expect(await told(), 'of another process').toEqual(['m1', 'm2']);
  await mine.change(said('m3'));
  expect(await told(), 'of this one').toEqual(['m1', 'm2', 'm3']);
  expect([await mine.unreadTalk(9, 'b'), await mine.unreadTalk(0)]).toEqual([[], []]);
  expect(await told()).toEqual(['m1', 'm2', 'm3']);
});
