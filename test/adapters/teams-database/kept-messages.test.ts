import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { MailTables } from '#adapters/mail/mail-tables.js';
import { openDatabase } from '#adapters/teams-database/database.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { taskConversation } from '#core/mail/message.js';
import { FREE_TURN } from '../../free-turn.js';
import { room } from '../../room.js';
import { said } from '../../said.js';
import { verifies } from '../../verifies.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');
const clock = { now: () => 1_000 };
const stepsIn = (folder: string) =>
  readdirSync(folder)
    .filter((name) => /^\d{4}_/.test(name))
    .sort();

function place(migrations = MIGRATIONS) {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const open = (steps = migrations) => {
    const mail = new MailTables(
      new TeamsDatabase({ turn: FREE_TURN, copies: path.join(folder, 'copies'), folder, migrations: steps, clock }),
    );
    onTestFinished(() => mail.close());
    return mail;
  };
  const edit = async (sql: string) => {
    const database = await openDatabase(path.join(folder, 'teams.db'));
    database.script(sql);
    database.close();
  };
  const database = () => {
    const opened = new TeamsDatabase({
      ...{ turn: FREE_TURN, copies: path.join(folder, 'copies'), folder, migrations, clock },
    });
    onTestFinished(() => opened.close());
    return opened;
  };
  return { folder, file: path.join(folder, 'teams.db'), open, database, edit };
}

test('the file is for its owner only, and git does not keep it', async () => {
  const { folder, file, open } = place();
  writeFileSync(path.join(folder, '.gitignore'), 'service/');
  const before = process.umask(0);
  try {
    await open().change(said('m1'));
    await open().change(said('m2'));
  } finally {
    process.umask(before);
  }
  for (const name of [file, `${file}-wal`, `${file}-shm`]) expect(statSync(name).mode & 0o777, name).toBe(0o600);
  expect(readFileSync(path.join(folder, '.gitignore'), 'utf8')).toBe('service/\nteams.db*\n');
});

verifies('sec.tree.links', 'messages are never kept through a link', async () => {
  const { folder, file, open } = place();
  const other = path.join(room(), 'elsewhere.db');
  writeFileSync(other, '');
  symlinkSync(other, file);
  const mail = open();
  await expect(mail.change(said('m1'))).rejects.toMatchObject({ code: 'unsafe_path' });
  expect(statSync(other).size).toBe(0);
  const linked = path.join(room(), '.workgraph');
  symlinkSync(folder, linked);
  const through = new MailTables(
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
    for (const name of ['notes.txt', '1_short.sql']) writeFileSync(path.join(steps, name), 'no step');
    const first = open(steps);
    await first.change(said('m1'));
    await first.close();
    writeFileSync(
      path.join(steps, '9000_more.sql'),
      'CREATE TABLE more (id TEXT); INSERT INTO more SELECT id FROM messages;',
    );
    const second = open(steps);
    expect(await second.messages(taskConversation('a'), { limit: 5 })).toHaveLength(1);
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
  await expect(open(steps).change(said('m1'))).rejects.toThrow(/nonsense/);
  const database = await openDatabase(file);
  expect(database.all("SELECT name FROM sqlite_master WHERE name = 'more'")).toEqual([]);
  expect(database.all('SELECT name FROM migrations')).toEqual([]);
  database.close();
  await open().change(said('m1'));
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
  const mail = new MailTables(
    new TeamsDatabase({
      turn: FREE_TURN,
      copies: path.join(folder, 'copies'),
      folder,
      migrations: MIGRATIONS,
      clock: { now: look },
    }),
  );
  await mail.cursor('human/ann', 'task:a');
  expect(seen).toEqual(stepsIn(MIGRATIONS).map(() => 0));
  look();
  expect(seen.at(-1)).toBe(stepsIn(MIGRATIONS).length);
  expect(readdirSync(folder).filter((name) => name.includes('before'))).toEqual([]);
  other.close();
  await mail.close();
  await open().change(said('m1'));
});

test('an unknown value is an error that names row and value; a damaged file is said to be one', async () => {
  const { open, edit, file } = place();
  await open().change(said('m1'));
  await edit("UPDATE messages SET priority = 'zombie\u001b'");
  await expect(open().messages(taskConversation('a'), { limit: 5 })).rejects.toMatchObject({
    code: 'data_corrupt',
    message: 'teams.db messages m1: priority has unknown value zombie\\u{1b}',
  });
  const broken = place();
  writeFileSync(broken.file, 'this is no database, and it is long enough to be looked at as one'.repeat(50));
  await expect(broken.open().cursor('human/ann', 'task:a')).rejects.toMatchObject({ code: 'data_corrupt' });
  expect(file).not.toBe(broken.file);
});

test('a line of .gitignore is added once, as one of its own, and to nothing but a file', async () => {
  for (const [before, after] of [
    [undefined, 'teams.db*\n'],
    ['', 'teams.db*\n'],
    ['service/', 'service/\nteams.db*\n'],
    ['service/\n', 'service/\nteams.db*\n'],
    ['teams.db*\nservice/', 'teams.db*\nservice/'],
  ] as const) {
    const { folder, open } = place();
    const file = path.join(folder, '.gitignore');
    if (before !== undefined) writeFileSync(file, before);
    await open().change(said('m1'));
    expect(readFileSync(file, 'utf8'), before).toBe(after);
  }
  const odd = place();
  mkdirSync(path.join(odd.folder, '.gitignore'));
  await odd.open().change(said('m1'));
  expect(readdirSync(path.join(odd.folder, '.gitignore'))).toEqual([]);
});

test('damaged tables, and those that are gone, are replaced by the latest copy; newer ones are left alone', async () => {
  const { folder, file, open, database, edit } = place();
  const kept = database();
  expect([await kept.fault(true), await kept.restore()]).toEqual([undefined, []]);
  const mail = open();
  await mail.change(said('m1'));
  expect([await kept.fault(true), await kept.fault(false), await kept.restore()]).toEqual([undefined, undefined, []]);
  for (const opened of [mail, kept]) await opened.close();
  const left = () =>
    existsSync(path.join(folder, 'service')) ? readdirSync(path.join(folder, 'service/lost+found')) : [];
  const ids = async () => {
    const reader = open();
    const found = (await reader.messages(taskConversation('a'), { limit: 5 })).map(({ id }) => id);
    await reader.close();
    return found;
  };
  for (const part of ['', '-wal', '-shm']) rmSync(`${file}${part}`, { force: true });
  expect(await kept.restore()).toEqual(['Restored teams.db from the copy of 1970-01-01.']);
  expect([await ids(), left()]).toEqual([['m1'], []]);
  await kept.close();
  writeFileSync(file, 'words'.repeat(1_000));
  expect(await kept.restore()).toEqual([
    'Restored teams.db from the copy of 1970-01-01; the damaged file is in .workgraph/service/lost+found/.',
  ]);
  expect([await ids(), left()]).toEqual([['m1'], ['teams-1000.db']]);
  await kept.close();
  await edit('PRAGMA user_version = 9999');
  expect([await kept.fault(false), await kept.restore()]).toEqual([
    ...[{ code: 'newer', text: expect.any(String), copy: null }, []],
  ]);
});

test('a file that was given another journal is given its own again; what is no file cannot be opened', async () => {
  const { file, open, edit } = place();
  const mail = open();
  await mail.change(said('m1'));
  await mail.close();
  await edit('PRAGMA journal_mode = DELETE');
  await open().change(said('m2'));
  const database = await openDatabase(file);
  expect(database.all('PRAGMA journal_mode')).toEqual([{ journal_mode: 'wal' }]);
  database.close();
  const odd = place();
  mkdirSync(odd.file);
  await expect(odd.open().cursor('human/ann', 'task:a')).rejects.toMatchObject({ code: 'unreadable' });
  expect(await odd.database().fault(false)).toEqual({
    code: 'unusable',
    text: 'teams.db cannot be opened.',
    copy: null,
  });
});
