import { expect, test } from 'vitest';
import { ready } from '#operations/graph/list.js';
import { show } from '#operations/graph/show.js';
import { world } from '../../e2e/world.js';

test('who would do a task is said of one that is ready, and of no other', async () => {
  const own = world();
  await own.add('a', { exec: 'true' });
  await own.add('b', { exec: 'true', after: ['a'] });
  await own.add('c', { human: true });
  await own.add('d');
  const doer = async (id: string, context = own.context) => (await show.run(context, { id })).done_by;
  expect(await show.run(own.context, { id: 'a' })).toMatchObject({ ready: true, done_by: 'command' });
  expect([await doer('c'), await doer('d')], 'there is no client').toEqual(['person', 'person']);
  const settings = { ...(await own.context.settings()), read: async () => ({ coordinator: { executor: 'claude' } }) };
  expect(await doer('d', { ...own.context, settings: async () => settings })).toBe('client');
  expect(await show.run(own.context, { id: 'a', at: 1 })).not.toHaveProperty('done_by');
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
