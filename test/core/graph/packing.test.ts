import { expect } from 'vitest';
import type { Patch } from '#core/graph/event.js';
import { packEvents } from '#core/graph/packing.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { verifies } from '../../verifies.js';

verifies('graph.store.every', 'what one line could not hold becomes several events, however few changes it is', () => {
  const large = 'x'.repeat(Math.ceil(WORK_LIMITS.eventCharacters * 0.6));
  const patch = (id: string): Patch => ({ id, set: { description: large } });
  const parcels = ['a', 'b', 'c'].map((id) => ({ patch: patch(id) }));
  const ids = (events: ReturnType<typeof packEvents>) => events.map((event) => event.patch.map(({ id }) => id));
  const events = packEvents('edit', parcels, (here, first) => ({ tasks: here.length, first }));
  expect(ids(events)).toEqual([['a'], ['b'], ['c']]);
  expect(events.map(({ detail }) => detail)).toEqual([
    { tasks: 1, first: true },
    { tasks: 1, first: false },
    { tasks: 1, first: false },
  ]);
  const small = ['a', 'b', 'c'].map((id) => ({ patch: { id, set: {} } }));
  expect(ids(packEvents('edit', small, () => ({})))).toEqual([['a', 'b', 'c']]);
  expect(ids(packEvents('edit', [], () => ({})))).toEqual([[]]);
});
