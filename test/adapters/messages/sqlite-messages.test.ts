import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SqliteMessages } from '#adapters/messages/sqlite-messages.js';
import { SqliteOutbox } from '#adapters/outbox/sqlite-outbox.js';
import { openDatabase } from '#adapters/teams-database/database.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { taskConversation } from '#core/messages/message.js';
import { messagesContract } from '../../contract/messages.js';
import { FREE_TURN } from '../../free-turn.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');
const clock = { now: () => 1_000 };
const stepsIn = (folder: string) => readdirSync(folder).sort();

function place(migrations = MIGRATIONS) {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const open = (steps = migrations) => {
    const messages = new SqliteMessages(
      new TeamsDatabase({ turn: FREE_TURN, copies: path.join(folder, 'copies'), folder, migrations: steps, clock }),
    );
    onTestFinished(() => messages.close());
    return messages;
  };
  const outbox = () =>
    new SqliteOutbox(
      new TeamsDatabase({ turn: FREE_TURN, copies: path.join(folder, 'copies'), folder, migrations, clock }),
    );
  const edit = async (sql: string) => {
    const database = await openDatabase(path.join(folder, 'teams.db'));
    database.script(sql);
    database.close();
  };
  return { folder, file: path.join(folder, 'teams.db'), open, outbox, edit };
}

const one = (id: string, body = 'x') => ({
  id,
  conversation: taskConversation('a'),
  sender: 'human/ann',
  sender_name: 'ann',
  speaks_for: 'human/ann',
  body,
  priority: 'normal' as const,
  created_at: 1,
});
const BY = { from: 'ann', kind: 'person' as const };
const TO = { task: 'a', holder: 'task/a' };

messagesContract('SQLite', () => {
  const { open, outbox } = place();
  return { messages: open(), outbox: outbox(), again: open };
});

test('the file is for its owner only, and git does not keep it', async () => {
  const { folder, file, open } = place();
  writeFileSync(path.join(folder, '.gitignore'), 'service/');
  const before = process.umask(0);
  try {
    await open().send(one('m1'), TO, BY);
    await open().send(one('m2'), TO, BY);
  } finally {
    process.umask(before);
  }
  for (const name of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(name).mode & 0o777, name).toBe(0o600);
  expect(readFileSync(path.join(folder, '.gitignore'), 'utf8')).toBe('service/\nteams.db*\n');
});

test('nothing has been read where nothing was ever written, and what is unread is asked for anew', async () => {
  const { open } = place();
  const [mine, other] = [open(), open()];
  expect(await mine.cursor('human/ann', 'c')).toBe(0);
  await mine.send(one('m1'), TO, BY);
  expect(await mine.cursor('human/ann', one('m1').conversation)).toBe(0);
  const told = async () => (await mine.unread(9)).flatMap(({ messages }) => messages.map(({ id }) => id));
  expect([await told(), await told()]).toEqual([['m1'], ['m1']]);
  await other.send(one('m2'), TO, BY);
  expect(await told(), 'of another process').toEqual(['m1', 'm2']);
  await mine.send(one('m3'), TO, BY);
  expect(await told(), 'of this one').toEqual(['m1', 'm2', 'm3']);
  expect([await mine.unread(9, 'b'), await mine.unread(0)]).toEqual([[], []]);
  expect(await told()).toEqual(['m1', 'm2', 'm3']);
});

verifies('sec.tree.links', 'messages are never kept through a link', async () => {
  const { folder, file, open } = place();
  const other = path.join(room(), 'elsewhere.db');
  writeFileSync(other, '');
  symlinkSync(other, file);
  const messages = open();
  await expect(messages.send(one('m1'), TO, BY)).rejects.toMatchObject({ code: 'unsafe_path' });
  expect(statSync(other).size).toBe(0);
  const linked = path.join(room(), '.workgraph');
  symlinkSync(folder, linked);
  const through = new SqliteMessages(
    new TeamsDatabase({
      turn: FREE_TURN,
      copies: path.join(folder, 'copies'),
      folder: linked,
      migrations: MIGRATIONS,
      clock,
    }),
  );
  await expect(through.cursor('human/ann', 'task:a')).rejects.toMatchObject({ code: 'unsafe_path' });
});

verifies(
  'team.db.migrate',
  'each step once, its hash recorded; a changed step or a newer file is not opened',
  async () => {
    const { file, open, edit } = place();
    const steps = path.join(room(), 'steps');
    cpSync(MIGRATIONS, steps, { recursive: true });
    const first = open(steps);
    await first.send(one('m1'), TO, BY);
    await first.close();
    writeFileSync(
      path.join(steps, '9000_more.sql'),
      'CREATE TABLE more (id TEXT); INSERT INTO more SELECT id FROM messages;',
    );
    const second = open(steps);
    expect(await second.list(taskConversation('a'), { limit: 5 })).toHaveLength(1);
    await second.close();
    expect(statSync(`${file}.before-9000`).size).toBeGreaterThan(0);
    const database = await openDatabase(file);
    expect(database.all('SELECT name FROM migrations ORDER BY version').map(({ name }) => name)).toEqual(
      stepsIn(steps),
    );
    expect(database.all('SELECT id FROM more')).toEqual([{ id: 'm1' }]);
    database.close();
    await expect(open().cursor('human/ann', 'task:a')).rejects.toMatchObject({ code: 'schema_newer' });
    writeFileSync(path.join(steps, '9000_more.sql'), 'CREATE TABLE others (id TEXT);');
    await expect(open(steps).cursor('human/ann', 'task:a')).rejects.toMatchObject({ code: 'migration_changed' });
    await edit("UPDATE migrations SET sha256 = 'x' WHERE version = 1");
    await expect(open(steps).cursor('human/ann', 'task:a')).rejects.toMatchObject({ code: 'migration_changed' });
  },
);

test('a step that fails leaves nothing behind', async () => {
  const { open, file } = place();
  const steps = path.join(room(), 'steps');
  cpSync(MIGRATIONS, steps, { recursive: true });
  writeFileSync(path.join(steps, '9000_more.sql'), 'CREATE TABLE more (id TEXT); SELECT nonsense;');
  await expect(open(steps).send(one('m1'), TO, BY)).rejects.toThrow(/nonsense/);
  const database = await openDatabase(file);
  expect(database.all("SELECT name FROM sqlite_master WHERE name = 'more'")).toEqual([]);
  expect(database.all('SELECT name FROM migrations')).toEqual([]);
  database.close();
  await open().send(one('m1'), TO, BY);
});

verifies('team.db.migrate', 'whoever opens it meanwhile sees no step or all of them', async () => {
  const { folder, file, open } = place();
  mkdirSync(folder, { recursive: true });
  const other = await openDatabase(file);
  other.script('PRAGMA busy_timeout = 0');
  const seen: number[] = [];
  const look = () => {
    seen.push(Number(other.all('SELECT count(*) AS steps FROM migrations')[0]?.['steps']));
    return 1_000;
  };
  const messages = new SqliteMessages(
    new TeamsDatabase({
      turn: FREE_TURN,
      copies: path.join(folder, 'copies'),
      folder,
      migrations: MIGRATIONS,
      clock: { now: look },
    }),
  );
  await messages.cursor('human/ann', 'task:a');
  expect(seen).toEqual(stepsIn(MIGRATIONS).map(() => 0));
  look();
  expect(seen.at(-1)).toBe(stepsIn(MIGRATIONS).length);
  expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual([]);
  other.close();
  await messages.close();
  await open().send(one('m1'), TO, BY);
});

test('an unknown value is an error that names row and value; a damaged file is said to be one', async () => {
  const { open, edit, file } = place();
  await open().send(one('m1'), TO, BY);
  await edit("UPDATE messages SET priority = 'zombie\u001b'");
  await expect(open().list(taskConversation('a'), { limit: 5 })).rejects.toMatchObject({
    code: 'data_corrupt',
    message: 'teams.db messages m1: priority has unknown value zombie\\u{1b}',
  });
  const broken = place();
  writeFileSync(broken.file, 'this is no database, and it is long enough to be looked at as one'.repeat(50));
  await expect(broken.open().cursor('human/ann', 'task:a')).rejects.toMatchObject({ code: 'data_corrupt' });
  expect(file).not.toBe(broken.file);
});
