import { expect, test } from 'vitest';
import { reschedule } from '#operations/graph/moves.js';
import { world } from '../../e2e/world.js';

test('a task is put off by hours or to a moment: by one of the two', async () => {
  const { add, clock, context, store } = world();
  await add('a');
  const time = async () => (await store.view()).task('a')?.not_before;
  await reschedule.run(context, { id: 'a', after: 2 });
  expect(await time()).toBe(new Date(clock.now() + 2 * 3_600_000).toISOString());
  await reschedule.run(context, { id: 'a', after: 0 });
  expect(await time(), 'at once').toBeUndefined();
  await reschedule.run(context, { id: 'a', at: '2030-01-01T00:00:00Z' });
  expect(Date.parse((await time()) ?? '')).toBe(Date.parse('2030-01-01T00:00:00Z'));
  for (const wish of [{}, { after: 1, at: '2030-01-01T00:00:00Z' }])
    await expect(async () => reschedule.run(context, { id: 'a', ...wish })).rejects.toMatchObject({ code: 'usage' });
  for (const after of [Number.POSITIVE_INFINITY, 3e9])
    await expect(async () => reschedule.run(context, { id: 'a', after })).rejects.toMatchObject({ code: 'bad_input' });
  expect(reschedule.input.safeParse({ id: 'a', after: -1 }).success).toBe(false);
});
