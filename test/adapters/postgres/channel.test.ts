import { describe, expect, onTestFinished, vi } from 'vitest';
import { untilAnswered } from '#adapters/postgres/answers.js';
import { channelsOf, DatabaseChannel, followChannel } from '#adapters/postgres/channel.js';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { PATIENCE } from '../../patience.js';
import { freshDatabase, postgresAddress } from '../../postgres.js';
import { verifies } from '../../verifies.js';
import { errorMessage, fakeServer, message } from './fake-server.js';

verifies(
  'fleet.log',
  'a replica, which sends no notifications, is asked for them once; another server again',
  async () => {
    const counts: number[] = [];
    for (const code of ['25006', '53300']) {
      let [connections, ends] = [0, 0];
      const ready = message('Z', Buffer.from('I'));
      const port = await fakeServer((socket) => {
        connections++;
        socket.once('data', () => socket.write(Buffer.concat([message('R', Buffer.alloc(4)), ready])));
        socket.on('data', (data) => {
          if (data.includes('LISTEN')) socket.write(Buffer.concat([errorMessage('ERROR', code), ready]));
        });
        socket.on('end', () => ends++);
      });
      const database = await PostgresDatabase.of(`postgresql://ann:x@127.0.0.1:${port}/teams`, 'shop');
      const channel = new DatabaseChannel(database, 'x', () => undefined);
      await channel.listen();
      await channel.listen();
      await vi.waitFor(() => expect(ends).toBe(connections), PATIENCE);
      counts.push(connections);
      await channel.close();
      await database.close();
    }
    expect(counts).toEqual([1, 2]);
  },
);

const address = await postgresAddress();

describe.skipIf(address === undefined)('a channel', () => {
  const server = address ?? '';
  const listeners = async (database: PostgresDatabase) =>
    (
      await database.query<{ pid: number }>('SELECT pid FROM pg_stat_activity WHERE query LIKE $1', [
        `LISTEN ${database.schema}%`,
      ])
    ).rows.map(({ pid }) => pid);
  const notify = (database: PostgresDatabase, name: string, payload: string) =>
    database.query('SELECT pg_notify($1, $2)', [name, payload]);

  verifies('fleet.log', 'has one connection of its own, which is made again when it is lost', async () => {
    const database = await freshDatabase(server);
    const { schema } = database;
    const names = channelsOf(database);
    expect(names).toEqual({
      ...{ events: schema, asked: `${schema}_asked`, answers: `${schema}_answers` },
      ...{ offers: `${schema}_offers`, workers: `${schema}_workers` },
    });
    const told: string[] = [];
    const channel = new DatabaseChannel(database, names.events, (payload) => told.push(payload));
    await channel.listen();
    await channel.listen();
    const [first, ...others] = await listeners(database);
    expect(others).toEqual([]);
    await notify(database, names.events, 'one');
    await notify(database, names.asked, 'for another');
    await notify(database, names.events, '');
    await vi.waitFor(() => expect(told).toEqual(['one', '']), PATIENCE);
    await database.query('SELECT pg_terminate_backend($1)', [first]);
    await vi.waitFor(async () => {
      await channel.listen();
      const again = await listeners(database);
      expect(again).toHaveLength(1);
      expect(again).not.toContain(first);
    }, PATIENCE);
    await channel.close();
    await channel.listen();
    await vi.waitFor(async () => expect(await listeners(database)).toEqual([]), PATIENCE);
  });

  verifies('fleet.log', 'is followed from the first moment until it is stopped, and looked at between', async () => {
    const database = await freshDatabase(server);
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const told: string[] = [];
    const stop = followChannel(database, database.schema, 60_000, (said) => told.push(said));
    const real = (ms: number) => vi.advanceTimersByTimeAsync(ms);
    while (told.length < 1) await database.query('SELECT 1');
    await notify(database, database.schema, 'said');
    while (told.length < 2) await database.query('SELECT 1');
    await real(60_000);
    while (told.length < 3) await database.query('SELECT 1');
    expect(told).toEqual(['', 'said', '']);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(60_000); // listens, but is stopped before it tells
    await stop();
    expect(vi.getTimerCount()).toBe(0);
    await notify(database, database.schema, 'late');
    while ((await listeners(database)).length > 0);
    expect(told).toEqual(['', 'said', '']);
    vi.useRealTimers();
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const again = followChannel(database, database.schema, 60_000, () => undefined);
    expect(timers(), 'it keeps no process alive').toBeLessThanOrEqual(before);
    await again();
  });

  verifies('fleet.ask', 'an answer is looked for at once, and then whenever it is announced', async () => {
    const database = await freshDatabase(server);
    expect(await untilAnswered(database, 'a', async () => 0)).toBe(0);
    let looks = 0;
    expect(await untilAnswered(database, 'a', async () => (++looks === 5 ? 'soon' : undefined))).toBe('soon');
    expect([looks, await listeners(database)]).toEqual([5, []]);
    looks = 0;
    const first = DATABASE_LIMITS.firstLooksMs.length;
    const { answers } = channelsOf(database);
    const late = untilAnswered(database, 'a', async () => {
      looks++;
      return looks === first + 2 ? 'late' : undefined;
    });
    await vi.waitFor(() => expect(looks).toBe(first + 1), PATIENCE);
    for (let round = 0; round < 20; round++) await notify(database, answers, 'b');
    expect(looks, 'answers to others are not looked at').toBe(first + 1);
    await notify(database, answers, 'a');
    expect(await late).toBe('late');
    await vi.waitFor(async () => expect(await listeners(database)).toEqual([]), PATIENCE);
  });
});
