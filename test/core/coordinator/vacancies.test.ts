import fc from 'fast-check';
import { expect } from 'vitest';
import { RoomKinds, Vacancies, type WorkerRoom } from '#core/coordinator/vacancies.js';
import { mass } from '../../mass.js';
import { verifies } from '../../verifies.js';

const room = (name: string, fields: Partial<WorkerRoom> = {}): WorkerRoom => ({
  ...{ name, executors: ['claude'], labels: [], free: 1 },
  ...fields,
});
const vacanciesOf = (rooms: readonly WorkerRoom[], kinds = new RoomKinds()) => new Vacancies(kinds.of(rooms));

verifies('fleet.labels', 'free places: workers with few labels first, each kind as often as it has room', () => {
  const vacancies = vacanciesOf([
    ...[room('gpu', { labels: ['gpu', 'big'], free: 2 }), room('a', { free: 2 }), room('b', { free: 1 })],
    ...[room('none', { labels: ['x'], free: 0 }), room('below', { labels: ['y'], free: -1 })],
    room('codex', { executors: ['codex'], labels: ['x'], free: 1 }),
  ]);
  expect(vacancies.free).toBe(6);
  expect([[], ['gpu'], ['gpu', 'big'], ['gpu', 'x'], ['x'], ['y'], ['z']].map((needs) => vacancies.has(needs))).toEqual(
    [...[true, true, true, false, true, false, false]],
  );
  const take = (executor: string, ...needs: string[]) =>
    vacancies.find(executor, needs)?.take().trim().replaceAll(/\n+/g, ' ');
  expect([take('claude', 'x'), take('codex', 'x'), take('codex', 'x'), take('shell', 'y')]).toEqual([
    ...[undefined, 'codex x', undefined, undefined],
  ]);
  expect([vacancies.has(['x']), vacancies.free]).toEqual([false, 5]);
  // What was found but not taken stays free.
  expect([vacancies.find('claude', []) !== undefined, vacancies.free]).toEqual([true, 5]);
  expect([take('claude'), take('shell'), take('claude'), take('claude'), vacancies.free]).toEqual([
    ...['claude', 'claude', 'claude', 'claude gpu big', 1],
  ]);
  expect([take('claude', 'big'), take('shell', 'gpu'), take('claude'), vacancies.free]).toEqual([
    ...['claude gpu big', undefined, undefined, 0],
  ]);
  expect(vacanciesOf([]).free).toBe(0);
});

const ROOM = fc.record({
  executors: fc.subarray(['claude', 'codex']),
  labels: fc.subarray(['gpu', 'big']),
  free: fc.integer({ min: -1, max: 2 }),
});

verifies('fleet.sim', 'kinds that follow the changes of workers are those counted from the beginning', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.tuple(fc.nat(30), ROOM), { maxLength: 20 }), { maxLength: 10 }), (steps) => {
      const rooms = new Map<string, WorkerRoom>();
      const kinds = new RoomKinds();
      const counted = (of: Iterable<object>) => [...of].map((kind) => JSON.stringify(kind)).sort();
      for (const step of steps) {
        for (const [number, fields] of step)
          if (number % 5 === 0) rooms.delete(`box-${number + 1}`);
          else rooms.set(`box-${number}`, room(`box-${number}`, fields));
        const list = [...rooms.values()];
        expect(counted(kinds.of(list))).toEqual(counted(new RoomKinds().of(list)));
      }
    }),
    { numRuns: mass(100, 2_000) },
  );
});

verifies('fleet.sim', 'of ten thousand workers only those that changed are read', () => {
  let reads = 0;
  const counting = (name: string, free: number): WorkerRoom => ({
    ...room(name),
    get free() {
      reads++;
      return free;
    },
  });
  const rooms = Array.from({ length: 10_000 }, (_, number) => counting(`box-${number}`, number % 2));
  const kinds = new RoomKinds();
  expect(vacanciesOf(rooms, kinds).free).toBe(5_000);
  reads = 0;
  expect(vacanciesOf(rooms.with(7, counting('box-7', 3)), kinds).free).toBe(5_002);
  expect(reads).toBeLessThan(10);
});
