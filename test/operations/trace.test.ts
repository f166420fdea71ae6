import { expect, test } from 'vitest';
import { traceShow } from '#operations/history/show-trace.js';
import { world } from '../e2e/world.js';

test('an animation plays ten times as fast unless told otherwise; without one no speed is taken', async () => {
  const { add, context } = world();
  await add('a');
  expect(await traceShow.run(context, { id: 'a', animate: true })).toMatchObject({ speed: 10 });
  expect(await traceShow.run(context, { id: 'a', animate: true, speed: 2 })).toMatchObject({ speed: 2 });
  await expect(traceShow.run(context, { id: 'a', speed: 2 })).rejects.toMatchObject({ code: 'usage' });
});

test('one that asks for nothing else tells what was done to its task, and no runs', async () => {
  const { add, context } = world();
  await add('a');
  const { operations, runs } = await traceShow.run(context, { id: 'a', ops_only: true });
  expect(operations).toMatchObject([{ op: 'add_task' }]);
  expect(runs).toBeUndefined();
});

test('the first event is one to look at, what is before it is none', () => {
  const takes = (at: number) => traceShow.input.safeParse({ id: 'a', at }).success;
  expect([0, 1].map(takes)).toEqual([false, true]);
});
