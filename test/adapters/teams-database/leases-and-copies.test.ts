import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { DailyCopies } from '#adapters/teams-database/daily-copies.js';
import type { Database } from '#adapters/teams-database/database.js';
import { leaseOf } from '#adapters/teams-database/lease.js';
import type { Statements } from '#adapters/teams-database/statement.js';
import { keepAnswer } from '#adapters/teams-database/tables.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { FREE_TURN } from '../../free-turn.js';
import { room } from '../../room.js';

/** A file that is opened and closed, and how often. */
function opened() {
  const folder = room('lease');
  const file = path.join(folder, 'teams.db');
  const steps: string[] = [];
  let number = 0;
  const connect = async () => {
    const own = ++number;
    steps.push(`open ${own}`);
    if (!existsSync(file)) writeFileSync(file, '');
    return { close: async () => void steps.push(`close ${own}`) } as unknown as Database;
  };
  return { folder, file, steps, connect };
}

test('all users of a file share a connection, by whichever path, until the last of them lets go', async () => {
  const { folder, file, steps, connect } = opened();
  const link = path.join(room('links'), 'link');
  symlinkSync(folder, link);
  const [one, two] = [leaseOf(file, connect), leaseOf(path.join(link, 'teams.db'), connect)];
  expect(one.isCurrent()).toBe(true);
  expect(await one.database).toBe(await two.database);
  await one.release();
  await one.release();
  expect(steps).toEqual(['open 1']);
  const three = leaseOf(file, connect);
  expect(await three.database).toBe(await two.database);
  await three.release();
  await two.release();
  expect(steps).toEqual(['open 1', 'close 1']);
  const four = leaseOf(file, connect);
  await four.database;
  expect(steps).toEqual(['open 1', 'close 1', 'open 2']);
  const closing = four.release();
  const five = leaseOf(file, connect);
  await five.database;
  await closing;
  expect(steps.slice(3), 'the next connection waits until the last one is closed').toEqual(['close 2', 'open 3']);
  await five.release();
});

test('a file that was removed or replaced is another one: new users get a connection of their own', async () => {
  const { file, steps, connect } = opened();
  const before = leaseOf(file, connect);
  const other = leaseOf(file, connect);
  await before.database;
  rmSync(file);
  expect(before.isCurrent()).toBe(false);
  await before.release();
  const after = leaseOf(file, connect);
  expect(await after.database).not.toBe(await other.database);
  expect([after.isCurrent(), steps]).toEqual([true, ['open 1', 'open 2']]);
  await other.release();
  expect(steps).toEqual(['open 1', 'open 2', 'close 1']);
  const shared = leaseOf(file, connect);
  expect(await shared.database, 'the end of an old one takes nothing from the new').toBe(await after.database);
  for (const lease of [after, shared]) await lease.release();
});

test('one that did not open is told to whoever asks, and tried anew by the next', async () => {
  const { file, steps, connect } = opened();
  const odd = new Error('odd');
  const failing = leaseOf(file, () => Promise.reject(odd));
  await expect(failing.database).rejects.toBe(odd);
  await failing.release();
  const next = leaseOf(file, connect);
  await next.database;
  expect(steps).toEqual(['open 1']);
  await next.release();
});

const DAY = 86_400_000;
/** Copies in a folder, of a database that writes its number. */
function copied() {
  const top = room('copies');
  const folder = path.join(top, 'own');
  let number = 0;
  const levels: string[] = [];
  const database = {
    script: (sql: string) => levels.push(sql),
    run: (sql: string, draft: string) => {
      expect(levels.at(-1), 'the copy is flushed once, when it is whole').toBe('PRAGMA synchronous = OFF');
      expect(sql).toBe('VACUUM INTO ?');
      expect(statSync(draft).mode & 0o777).toBe(0o600);
      writeFileSync(draft, String(++number));
    },
  } as unknown as Database;
  /** The level at which the database itself goes on. */
  const level = () => levels.at(-1);
  return { top, folder, database, level, names: () => readdirSync(folder).sort(), made: () => number };
}

test('a copy is kept each day, the latest few of them, for their owner only', () => {
  const { folder, database, level, names, made } = copied();
  const start = Date.parse('2026-02-27T23:59:59Z');
  const copies = new DailyCopies(folder);
  expect(copies.latest()).toBeUndefined();
  copies.keep(database, start);
  expect(level()).toBe('PRAGMA synchronous = NORMAL');
  copies.keep(database, start);
  expect([names(), made(), copies.latest()]).toEqual([['teams-2026-02-27.db'], 1, '2026-02-27']);
  expect([statSync(folder).mode & 0o777, statSync(path.join(folder, 'teams-2026-02-27.db')).mode & 0o777]).toEqual([
    ...[0o700, 0o600],
  ]);
  new DailyCopies(folder).keep(database, start);
  expect(made(), 'another process has made it').toBe(1);
  writeFileSync(path.join(folder, 'notes.db'), '');
  writeFileSync(path.join(folder, `.teams-2026-02-28.db.${process.pid}`), 'left of an earlier life');
  for (let day = 1; day <= TEAM_LIMITS.teamsCopies; day++) copies.keep(database, start + day * DAY);
  const days = Array.from({ length: TEAM_LIMITS.teamsCopies }, (_, index) =>
    new Date(start + (index + 1) * DAY).toISOString().slice(0, 10),
  );
  expect(names()).toEqual(['notes.db', ...days.map((day) => `teams-${day}.db`)]);
  expect(copies.latest()).toBe(days.at(-1));
});

test('a copy that fails leaves nothing behind and the earlier ones alone; it is tried again the next day', () => {
  const { folder, database, names } = copied();
  const start = Date.parse('2026-03-01T10:00:00Z');
  const copies = new DailyCopies(folder);
  copies.keep(database, start);
  const odd = new Error('odd');
  const broken = {
    script: () => undefined,
    run: () => {
      throw odd;
    },
  } as unknown as Database;
  expect(() => copies.keep(broken, start + DAY)).toThrow(odd);
  copies.keep(broken, start + DAY);
  expect(names()).toEqual(['teams-2026-03-01.db']);
  copies.keep(database, start + 2 * DAY);
  expect(names()).toEqual(['teams-2026-03-01.db', 'teams-2026-03-03.db']);
  const file = path.join(folder, 'file');
  writeFileSync(file, '');
  expect([new DailyCopies(file).latest(), new DailyCopies(path.join(file, 'below')).latest()]).toEqual([
    undefined,
    undefined,
  ]);
});

test('the latest copy takes the place of the file, and what lay there is moved aside whole', () => {
  const { top, folder, database } = copied();
  const file = path.join(top, 'teams.db');
  const aside = path.join(top, 'aside/deep');
  const copies = new DailyCopies(folder);
  expect([copies.restore(file, aside, 5), existsSync(aside)]).toEqual([undefined, false]);
  for (const day of [1, 2]) copies.keep(database, day * DAY);
  for (const [part, text] of [
    ['', 'broken'],
    ['-wal', 'wal'],
    ['-shm', 'shm'],
    ['.restored', 'half'],
  ] as const)
    writeFileSync(`${file}${part}`, text);
  expect(copies.restore(file, aside, 5)).toBe('teams-1970-01-03.db');
  expect([readFileSync(file, 'utf8'), existsSync(`${file}-wal`), existsSync(`${file}-shm`)]).toEqual([
    '2',
    false,
    false,
  ]);
  expect(readdirSync(aside).sort()).toEqual(['teams-5.db', 'teams-5.db-shm', 'teams-5.db-wal']);
  expect([readFileSync(path.join(aside, 'teams-5.db'), 'utf8'), statSync(aside).mode & 0o777]).toEqual([
    'broken',
    0o700,
  ]);
  expect(readdirSync(top).sort()).toEqual(['aside', 'own', 'teams.db']);
  renameSync(file, `${file}.gone`);
  mkdirSync(path.join(top, 'other'));
  expect(copies.restore(file, path.join(top, 'other'), 6)).toBe('teams-1970-01-03.db');
  expect([readFileSync(file, 'utf8'), readdirSync(path.join(top, 'other'))]).toEqual(['2', []]);
});

/** Statements of a computation whose answers are all empty. */
function* askedBy(statements: Statements<unknown>) {
  for (let step = statements.next(); !step.done; step = statements.next([])) yield step.value;
}

test('an answer is kept for as long as its request may be repeated', () => {
  const at = 2 * WORK_LIMITS.answeredMs;
  const asked = [
    ...askedBy(keepAnswer({ requestId: 'r', input: 'i' }, { a: 1 }, at)),
    ...askedBy(keepAnswer({ requestId: 's', input: 'i' }, undefined, at)),
  ];
  expect(asked.map(({ text, values }) => [text[0]?.split(' ')[0], ...values])).toEqual([
    ['delete', WORK_LIMITS.answeredMs],
    ['insert', 'r', 'i', '{"a":1}', at],
    ['delete', WORK_LIMITS.answeredMs],
    ['insert', 's', 'i', null, at],
  ]);
});

test('what keeps teams.db from being used is told, with the copy there is where that helps', async () => {
  const folder = path.join(room('fault'), '.workgraph');
  mkdirSync(folder);
  const file = path.join(folder, 'teams.db');
  const copies = path.join(folder, 'copies');
  const migrations = path.resolve(import.meta.dirname, '../../../data/teams');
  const fault = async (thoroughly: boolean) => {
    const database = new TeamsDatabase({ folder, migrations, clock: { now: () => 1 }, turn: FREE_TURN, copies });
    try {
      return await database.fault(thoroughly);
    } finally {
      await database.close();
    }
  };
  expect(await fault(true), 'nothing was ever kept').toBeUndefined();
  mkdirSync(copies);
  writeFileSync(path.join(copies, 'teams-2026-03-01.db'), '');
  expect(await fault(false)).toMatchObject({ code: 'gone', copy: '2026-03-01' });
  writeFileSync(file, 'words'.repeat(1_000));
  for (const thoroughly of [true, false])
    expect(await fault(thoroughly)).toMatchObject({ code: 'damaged', copy: '2026-03-01', text: expect.any(String) });
});
