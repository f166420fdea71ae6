import { closeSync, mkdirSync, openSync, readdirSync, readlinkSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { BUSY_MS, openDatabase } from '#adapters/teams-database/database.js';
import { leaseOf } from '#adapters/teams-database/lease.js';
import { appendMessage, messageOf, PLAIN } from '#adapters/teams-database/message-rows.js';
import type { MessageDetails } from '#adapters/teams-database/message-statements.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { FREE_TURN } from '../../free-turn.js';
import { plain } from '../../plain-statements.js';
import { room } from '../../room.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');

function place() {
  const folder = path.join(room('opened'), '.workgraph');
  mkdirSync(folder);
  const open = (migrations = MIGRATIONS) => {
    const places = { folder, migrations, clock: { now: () => 1 }, turn: FREE_TURN };
    const database = new TeamsDatabase({ ...places, copies: path.join(folder, 'copies') });
    onTestFinished(() => database.close());
    return database;
  };
  return { folder, file: path.join(folder, 'teams.db'), open };
}

test('a connection waits for others, flushes what it writes, keeps rows together and trusts no schema', async () => {
  const { open } = place();
  const first = open();
  await first.open();
  await first.close();
  const levels = await open().read<unknown[]>([], function* () {
    const found: unknown[] = [];
    for (const name of ['busy_timeout', 'synchronous', 'foreign_keys', 'trusted_schema', 'journal_mode'])
      found.push(Object.values((yield* plain(`PRAGMA ${name}`))[0] ?? {})[0]);
    return found;
  });
  expect(levels).toEqual([BUSY_MS, 1, 1, 0, 'wal']);
});

test('a database of a program without steps is new to it, and so is one with a step that it lacks', async () => {
  const { file, open } = place();
  const none = room('none');
  const empty = open(none);
  await empty.open();
  expect(await empty.fault(true)).toBeUndefined();
  await empty.close();
  const database = await openDatabase(file);
  database.script('PRAGMA user_version = 1');
  await database.close();
  expect(await open(none).fault(false)).toMatchObject({ code: 'newer', copy: null });
});

test('a file that is refused is closed again', async () => {
  const { folder, file, open } = place();
  const database = await openDatabase(file);
  database.script('CREATE TABLE theirs (id TEXT)');
  await database.close();
  await expect(open().open()).rejects.toMatchObject({
    ...{ code: 'data_corrupt', message: 'teams.db belongs to another program: Troupe did not make its tables.' },
  });
  const held = readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      return []; // the one that lists them
    }
  });
  expect(held.filter((name) => name.startsWith(folder))).toEqual([]);
});

test('damage deep in a file is found by whoever looks thoroughly, and by nobody else', async () => {
  const { file, open } = place();
  const database = open();
  await database.write(function* () {
    for (const id of Array.from({ length: 200 }, (_, number) => `team-${number}`))
      yield* plain("INSERT INTO teams VALUES (?, ?, 0, ?, 'active', 0, NULL, 1, NULL)", id, id, 'x'.repeat(1_000));
  });
  await database.close();
  const [page] = await (async () => {
    const rows = await openDatabase(file);
    const found = rows.all("SELECT rootpage FROM sqlite_master WHERE name = 'teams'");
    await rows.close();
    return found.map(({ rootpage }) => Number(rootpage));
  })();
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, Buffer.alloc(4_096, 0xff), 0, 4_096, ((page ?? 1) - 1) * 4_096);
  closeSync(descriptor);
  const damaged = { code: 'damaged', text: expect.stringMatching(/^teams\.db is damaged/), copy: '1970-01-01' };
  expect([await open().fault(false), await open().fault(true)]).toEqual([undefined, damaged]);
});

test('a connection that fails before anybody asks for it breaks nothing', async () => {
  const file = path.join(room('lease'), 'teams.db');
  writeFileSync(file, '');
  const lease = leaseOf(file, () => Promise.reject(new Error('odd')));
  // Node tells of a rejection that nobody handles at the end of a turn.
  await new Promise((resolve) => setImmediate(resolve));
  expect(lease.isCurrent()).toBe(true);
  await lease.release();
});

test('looking for the SQLite of Node leaves the warnings of this process alone', async () => {
  const before = process.emitWarning;
  const { file } = place();
  await (await openDatabase(file)).close();
  expect(process.emitWarning).toBe(before);
});

type StoredRow = Parameters<typeof messageOf>[0] & MessageDetails;

test('a message is kept as the next of its conversation, and answered and read with its number', async () => {
  const { open } = place();
  const message = (id: string) => ({
    ...{ id, conversation: 'c', sender: 'human/ann', sender_name: 'Ann', speaks_for: 'human/ann' },
    ...{ body: 'Well?', priority: 'urgent' as const, created_at: 5 },
  });
  const details = { type: 'reply', subject: 's', reply_to: 'r', thread_id: 't', expires_at: 9 };
  const [answers, rows] = await open().write(function* () {
    yield* plain(
      "INSERT INTO conversations (id, initiator, recipient, state, created_at) VALUES ('c', 'a', 'b', 'active', ?)",
      1,
    );
    const said = [yield* appendMessage(message('m-1'), PLAIN), yield* appendMessage(message('m-2'), details)];
    return [said, yield* plain<StoredRow>('SELECT * FROM messages ORDER BY seq')] as const;
  });
  expect(answers).toEqual([
    { ...message('m-1'), number: 1 },
    { ...message('m-2'), number: 2 },
  ]);
  expect(rows.map(messageOf)).toEqual(answers);
  expect(
    rows.map(({ type, subject, reply_to, thread_id, expires_at }) => [type, subject, reply_to, thread_id, expires_at]),
  ).toEqual([
    ['message', null, null, null, null],
    ['reply', 's', 'r', 't', 9],
  ]);
});

test('bytes are answered as bytes, whichever library reads them', async () => {
  const bytes = await place()
    .open()
    .write(() =>
      plain<{ bytes: unknown; word: string }>("SELECT x'0102' AS bytes, 'w' AS word UNION ALL SELECT x'', ''"),
    );
  expect(bytes).toEqual([
    { bytes: new Uint8Array([1, 2]), word: 'w' },
    { bytes: new Uint8Array([]), word: '' },
  ]);
});
