import { open } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LogFlush } from '#adapters/teams-database/log-flush.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

/** A log whose flushes end when the test says so. */
function slow() {
  const ends: (() => void)[] = [];
  let closed = 0;
  const log = new LogFlush('teams.db-wal', async () => ({
    datasync: () => new Promise((resolve) => ends.push(resolve)),
    close: async () => void closed++,
  }));
  return { log, ends, closed: () => closed };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

verifies('db.locks', 'flushes asked for while one runs are one, which begins after it', async () => {
  const { log, ends, closed } = slow();
  const over: string[] = [];
  const asked = (name: string) => log.flush().then(() => over.push(name));
  const all = [asked('first')];
  await turn();
  all.push(asked('second'), asked('third'));
  await turn();
  expect(ends, 'what was written after the first began is not covered by it').toHaveLength(1);
  ends[0]?.();
  await turn();
  expect([over, ends.length]).toEqual([['first'], 2]);
  ends[1]?.();
  await Promise.all(all);
  expect(over).toEqual(['first', 'second', 'third']);
  await log.close();
  expect(closed()).toBe(1);
});

test('a log that cannot be brought to the disk is said, and tried again', async () => {
  const file = path.join(room(), 'log');
  const log = new LogFlush(file, open);
  await expect(log.flush()).rejects.toMatchObject({ code: 'disk_full' });
  await (await open(file, 'w')).close();
  await log.flush();
  await log.close();
});
