import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { cachedDataVersionTag } from 'node:v8';
import { expect, onTestFinished, test } from 'vitest';
import { Database, openDatabase } from '#adapters/teams-database/database.js';
import { LogFlush } from '#adapters/teams-database/log-flush.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { TroupeError } from '#kernel/errors.js';
import type { SharedTurn } from '#ports/graph-store.js';
import { FREE_TURN } from '../../free-turn.js';
import { plain } from '../../plain-statements.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const TOP = path.resolve(import.meta.dirname, '../../..');
const MIGRATIONS = path.join(TOP, 'data/teams');

function place() {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const file = path.join(folder, 'teams.db');
  const open = (turn: SharedTurn = FREE_TURN) => {
    const database = new TeamsDatabase({
      folder,
      migrations: MIGRATIONS,
      clock: { now: () => 1 },
      turn,
      copies: path.join(folder, 'copies'),
    });
    onTestFinished(() => database.close());
    return database;
  };
  return { folder, file, open };
}

const add = (database: TeamsDatabase, id: string) =>
  database.write(() => plain("INSERT INTO teams (id, name, status, created_at) VALUES (?, ?, 'active', 1)", id, id));
const idsOf = async (database: TeamsDatabase) => {
  const none = [{ id: 'no file' }];
  const rows = await database.read<readonly { id?: unknown }[]>(none, () => plain('SELECT id FROM teams ORDER BY id'));
  return rows.map(({ id }) => id);
};

/** The names of the files of a folder that this process holds open. */
function openIn(folder: string): string[] {
  const names = readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return [readlinkSync(`/proc/self/fd/${descriptor}`)];
    } catch {
      return []; // the one that lists them
    }
  });
  return names.filter((name) => name.startsWith(folder)).map((name) => path.basename(name));
}

/** How many locks there are on a file. */
function locksOn(file: string): number {
  const { ino } = statSync(file);
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(`:${ino} `)).length;
}

/** An ordinary command of another process: it opens the file, looks and closes it. */
function lookFromOutside(file: string): void {
  const library = JSON.stringify(path.join(TOP, 'node_modules/libsql'));
  const script = `const D = require(${library}); const d = new D(process.argv[1]); d.exec('SELECT count(*) FROM teams'); d.close()`;
  execFileSync(process.execPath, ['-e', script, file]);
}

test('a database that was closed leaves V8 as it was: compiled code of later chunks is taken', async () => {
  const before = cachedDataVersionTag();
  const { open } = place();
  const database = open();
  await add(database, 'one');
  await database.close();
  expect(cachedDataVersionTag()).toBe(before);
});

verifies('db.locks', 'a closed database leaves no descriptor behind, whatever was prepared', async () => {
  const { folder, open } = place();
  const [one, two] = [open(), open()];
  for (const id of ['a', 'b']) await add(one, id);
  expect(await idsOf(two)).toEqual(['a', 'b']);
  expect(openIn(folder)).toContain('teams.db');
  await one.close();
  expect(await idsOf(two)).toEqual(['a', 'b']); // what the others share stays open
  await two.close();
  expect(openIn(folder)).toEqual([]);
  expect(await idsOf(one)).toEqual(['a', 'b']);
});

test('a connection that is used for longer prepares each statement once', async () => {
  let prepared = 0;
  const connection = {
    exec: () => undefined,
    prepare: () => ({ all: () => [], run: () => undefined, prepared: ++prepared }),
    close: () => undefined,
  };
  const database = new Database(connection, async () => undefined, new LogFlush(path.join(room(), 'none'), open));
  const turn = async () => {
    database.all('SELECT 1');
    database.all('SELECT 1');
    await new Promise((resolve) => setImmediate(resolve));
  };
  for (let turns = 0; turns < 10; turns++) await turn();
  expect(prepared).toBe(10);
  for (let turns = 0; turns < 90; turns++) await turn();
  expect(prepared).toBeLessThan(40);
});

test('a statement that has grown old is finalized with the others', async () => {
  const { folder, file } = place();
  const database = await openDatabase(file);
  database.script('CREATE TABLE numbers (number INTEGER)');
  database.run('INSERT INTO numbers VALUES (?)', 1);
  // More than the part of the heap holds in which V8 keeps what is young.
  for (let round = 0; round < 5; round++)
    expect(Array.from({ length: 400_000 }, (_, number) => ({ number }))).toHaveLength(400_000);
  expect(openIn(folder)).toContain('teams.db');
  await database.close();
  expect(openIn(folder)).toEqual([]);
});

verifies(
  'db.locks',
  'a second user in the process takes no lock away: the log stays, and so does what is acknowledged',
  async () => {
    const { file, open } = place();
    const first = open();
    await add(first, 'before');
    const held = locksOn(file);
    expect(held).toBeGreaterThan(0);
    const second = open();
    await add(second, 'second');
    expect(locksOn(file)).toBe(held);
    await second.close();
    expect(locksOn(file)).toBe(held);
    lookFromOutside(file);
    expect(existsSync(`${file}-wal`)).toBe(true);
    await add(first, 'after');
    const other = await openDatabase(file);
    expect(other.all('SELECT id FROM teams ORDER BY id').map(({ id }) => id)).toEqual(['after', 'before', 'second']);
    expect(other.all('PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    await other.close();
  },
);

verifies('db.locks', 'whoever does not get the turn writes nothing, and looks all the same', async () => {
  const { open } = place();
  await add(open(), 'a');
  const turn: SharedTurn = {
    isFree: () => false,
    exclusively: () => Promise.reject(new TroupeError('locked')),
  };
  const beside = open(turn);
  await expect(add(beside, 'b')).rejects.toMatchObject({ code: 'locked' });
  expect(await idsOf(beside)).toEqual(['a']);
});

verifies('db.locks', 'a turn that nobody has is not taken, unless somebody takes it meanwhile', async () => {
  const { open } = place();
  await add(open(), 'a');
  const told: boolean[] = [];
  const turn: SharedTurn = {
    isFree: () => told.shift() === true,
    exclusively: () => Promise.reject(new TroupeError('locked')),
  };
  const database = open(turn);
  told.push(true, true);
  await add(database, 'b');
  for (const free of [[], [true], [false, true]]) {
    told.splice(0, told.length, ...free);
    await expect(add(database, 'c')).rejects.toMatchObject({ code: 'locked' });
  }
  expect(await idsOf(database)).toEqual(['a', 'b']);
});

verifies('db.locks', 'a file that is gone or another one is noticed before the next write', async () => {
  const { file, folder, open } = place();
  const [one, two] = [open(), open()];
  await add(one, 'a');
  expect(await idsOf(two)).toEqual(['a']);
  for (const name of readdirSync(folder)) if (name.startsWith('teams.db')) rmSync(path.join(folder, name));
  expect(await idsOf(one)).toEqual(['no file']);
  await add(one, 'b');
  expect(existsSync(file)).toBe(true);
  expect(await idsOf(two)).toEqual(['b']);
  await Promise.all([add(one, 'c'), add(two, 'd')]);
  await Promise.all([one.close(), two.close()]);
  expect(await idsOf(open())).toEqual(['b', 'c', 'd']);
});
