import { describe, expect } from 'vitest';
import { EventFollower } from '#adapters/store/postgres/event-follower.js';
import type { EntryLine } from '#core/graph/entries.js';
import type { Entry } from '#core/graph/event.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { PATIENCE } from '../../../patience.js';
import { freshDatabase, postgresAddress } from '../../../postgres.js';
import { verifies } from '../../../verifies.js';

const address = await postgresAddress();

describe.skipIf(address === undefined)('followers of a leader', () => {
  /** Starts a follower of a log whose table stays empty: what it yields was kept in memory. */
  async function followed(from: number) {
    const follower = new EventFollower(await freshDatabase(address ?? ''), false);
    const seen: number[] = [];
    const over = new AbortController();
    const done = (async () => {
      for await (const { seq } of follower.follow(from, over.signal)) seen.push(seq);
    })();
    await new Promise((resolve) => setImmediate(resolve));
    const stop = async () => {
      over.abort();
      await follower.close();
      await done;
    };
    return { follower, seen, stop };
  }

  const waits = () => new Promise((resolve) => setTimeout(resolve, 100, 'waits'));

  function lines(from: number, to: number): EntryLine[] {
    return Array.from({ length: to - from + 1 }, (_, number) => {
      const seq = from + number;
      const entry = { seq, id: `id-${seq}`, prev: `id-${seq - 1}` } as Entry;
      return { entry, line: JSON.stringify(entry) };
    });
  }

  verifies('fleet.leader', 'what a leader writes reaches its followers without the database', async () => {
    const { follower, seen, stop } = await followed(3);
    follower.tell(lines(3, 4));
    await expect.poll(() => seen, PATIENCE).toEqual([3, 4]);
    follower.tell(lines(5, 5));
    follower.tell(lines(6, 6));
    await expect.poll(() => seen, PATIENCE).toEqual([3, 4, 5, 6]);
    await stop();
  });

  verifies('fleet.leader', 'entries before those kept, or of another log, are left to the database', async () => {
    const { follower, seen, stop } = await followed(3);
    follower.tell(lines(3, 3));
    await expect.poll(() => seen, PATIENCE).toEqual([3]);
    follower.tell([{ entry: { seq: 9, id: 'id-9', prev: 'of another log' } as Entry, line: '' }]);
    await waits();
    expect(seen, 'there is a gap before the ninth').toEqual([3]);
    follower.tell(lines(10, 9 + DATABASE_LIMITS.recentEntries)); // the ninth is kept no longer
    const late = new AbortController();
    const next = follower.follow(10, late.signal)[Symbol.asyncIterator]();
    expect((await next.next()).value).toMatchObject({ seq: 10 });
    const before = follower.follow(9, late.signal)[Symbol.asyncIterator]().next();
    expect(await Promise.race([before, waits()])).toBe('waits');
    late.abort();
    await stop();
    await before;
  });
});
