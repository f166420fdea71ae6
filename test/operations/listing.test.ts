import { expect, test } from 'vitest';
import { list, ready } from '#operations/graph/list.js';
import { world } from '../e2e/world.js';

test('several tags ask for tasks that carry all of them', async () => {
  const own = world();
  await own.add('both', { tags: ['a', 'b', 'c'] });
  await own.add('one', { tags: ['a'] });
  await own.add('other', { tags: ['b'] });
  const ids = async (tag: string[]) => (await list.run(own.context, { tag })).tasks.map(({ id }) => id);
  expect(await ids(['a'])).toEqual(['both', 'one']);
  expect(await ids(['a', 'b'])).toEqual(['both']);
  expect(await ids(['b', 'nobody'])).toEqual([]);
});

test('what is ready stands in the order in which it became so, then by id', async () => {
  const own = world();
  const at = (minute: number) => ({ created_at: `2026-03-01T09:${String(minute).padStart(2, '0')}:00.000Z` });
  await own.add('z-first', at(1));
  await own.add('b-third', at(3));
  await own.add('a-third', at(3));
  await own.add('m-second', at(2));
  const { tasks } = await ready.run(own.context, {});
  expect(tasks.map(({ id }) => id)).toEqual(['z-first', 'm-second', 'a-third', 'b-third']);
});
