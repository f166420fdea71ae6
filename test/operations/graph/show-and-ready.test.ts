import { expect, test } from 'vitest';
import { ready } from '#operations/graph/list.js';
import { show } from '#operations/graph/show.js';
import { world } from '../../e2e/world.js';

test('who would do a task is said of one that is ready, and of no other', async () => {
  const own = world();
  await own.add('a', { exec: 'true' });
  await own.add('b', { exec: 'true', after: ['a'] });
  expect(await show.run(own.context, { id: 'a' })).toMatchObject({ ready: true, done_by: expect.anything() });
  const waits = await show.run(own.context, { id: 'b' });
  expect(waits.ready).toBe(false);
  expect(waits).not.toHaveProperty('done_by');
  expect(waits).not.toHaveProperty('last_words');
});

test('what is ready says its estimate and its member where it has them', async () => {
  const own = world();
  await own.add('a', { estimate: { hours: 2 }, member: 'Trinity' });
  await own.add('b');
  expect((await ready.run(own.context, {})).tasks).toEqual([
    { id: 'a', title: 'a', member: 'Trinity', tags: [], estimate: { hours: 2 } },
    { id: 'b', title: 'b', tags: [] },
  ]);
});
