import { expect, test } from 'vitest';
import { statusWork } from '#operations/insight/work.js';
import { world } from '../../e2e/world.js';

test('what is ready is counted apart from what is only open', async () => {
  const own = world();
  await own.add('a');
  await own.add('b', { after: ['a'] });
  await own.add('c', { after: ['a'] });
  expect((await statusWork.run(own.context, {})).counts).toMatchObject({ ready: 1, open: 2 });
});
