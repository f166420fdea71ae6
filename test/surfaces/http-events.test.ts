import { expect, test } from 'vitest';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { PATIENCE } from '../patience.js';
import { verifies } from '../verifies.js';
import { bearer, connects, listen, serve } from './http-client.js';

verifies('ui.web.live', 'the event stream begins where it is asked to and resumes after the last event', async () => {
  const { server, own } = await serve();
  for (const id of ['a', 'b', 'c']) await own.add(id);
  const first = await listen(server.port, '/api/events?from=2');
  expect(await first.until(2)).toEqual([
    { seq: 2, op: 'add_task', task_id: 'b' },
    { seq: 3, op: 'add_task', task_id: 'c' },
  ]);
  first.hangUp();
  await own.add('d');
  const second = await listen(server.port, '/api/events?from=1', { 'last-event-id': '3' });
  await own.add('e');
  expect((await second.until(2)).map((event) => event.seq)).toEqual([4, 5]);
  second.hangUp();
});

test('a stream that does not say where to begin is refused', async () => {
  const { ask } = await serve();
  for (const target of ['/api/events', '/api/events?from=', '/api/events?from=-1', '/api/events?from=x']) {
    expect((await ask(target, { headers: bearer })).status, target).toBe(400);
  }
});

verifies('ui.web.live', 'a quiet stream says that it lives, by the injected timer', async () => {
  const beats: (() => void)[] = [];
  const { server } = await serve({
    every: (milliseconds, beat) => {
      expect(milliseconds).toBe(15_000);
      beats.push(beat);
      return () => beats.splice(beats.indexOf(beat), 1);
    },
  });
  const stream = await listen(server.port, '/api/events?from=1');
  for (const beat of beats) beat();
  await stream.untilText(': alive');
  stream.hangUp();
  await stream.ended;
  await server.close();
  expect(beats).toEqual([]);
});

verifies('sec.limits', 'event streams are counted, and a reader that takes nothing is let go', async () => {
  const beats = new Set<() => void>();
  const large = Array.from({ length: 20_000 }, (_, index) => ({ seq: index + 1, op: 'x'.repeat(1_000) }));
  const { server, ask } = await serve({
    every: (_milliseconds, beat) => {
      beats.add(beat);
      return () => beats.delete(beat);
    },
    follow: async function* (_from, signal) {
      for (const event of large) {
        if (signal.aborted) return;
        yield event;
      }
    },
  });
  const streams = await Promise.all(
    Array.from({ length: SURFACE_LIMITS.eventStreams }, () => listen(server.port, '/api/events?from=1', {}, true)),
  );
  expect((await ask('/api/events?from=1', { headers: bearer })).status).toBe(429);
  expect(beats.size).toBe(SURFACE_LIMITS.eventStreams);
  for (let round = 0; round < 3; round++) for (const beat of [...beats]) beat();
  await expect.poll(() => beats.size, PATIENCE).toBe(0);
  for (const stream of streams) stream.hangUp();
});

test('closing ends the streams and is safe twice', async () => {
  const { server } = await serve();
  const stream = await listen(server.port, '/api/events?from=1');
  await Promise.all([server.close(), server.close()]);
  await stream.ended;
  await server.close();
  expect(await connects('127.0.0.1', server.port)).toBe(false);
});
