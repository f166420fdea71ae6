import { expect, test } from 'vitest';
import { list, ready } from '#operations/graph/list.js';
import { statusNow } from '#operations/insight/now.js';
import { graphPicture } from '#operations/insight/status-picture.js';
import { picturedGraph } from '#operations/insight/viz.js';
import { statusWork } from '#operations/insight/work.js';
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
  const moment = (text: string) => ({ not_before: `2026-03-01T${text}.000Z` });
  await own.add('now', { ...at(0), ...moment('10:00:00') });
  await own.add('later', { ...at(0), ...moment('10:00:01') });
  expect((await ready.run(own.context, {})).tasks.map(({ id }) => id)).toEqual([
    ...['z-first', 'm-second', 'a-third', 'b-third', 'now'],
  ]);
});

test('internal tasks stand in no list, count or drawing, except one that runs, failed or is for a person', async () => {
  const own = world();
  const evaluation = { tags: ['evaluation'] };
  await own.add('work', { status: 'done' });
  await own.add('more');
  await own.add('evaluate-nothing', evaluation); // is about no task: somebody's work
  await own.add('assign-work', { status: 'done' });
  await own.add('evaluate-work', { ...evaluation, after: ['work'] });
  await own.add('assign-more', { status: 'failed' });
  await own.add('.turn-1', { after: ['more'] });
  await own.add('.asks', { human: true });
  const { context } = own;
  const shown = ['.asks', 'assign-more', 'evaluate-nothing', 'more', 'work'];
  const listed = await list.run(context, {});
  expect(listed.tasks.map(({ id }) => id)).toEqual(shown);
  expect(listed).toMatchObject({ total: 5, internal: 3 });
  expect(await list.run(context, { show_internal: true })).toMatchObject({ total: 8, internal: 0 });
  expect((await list.run(context, { status: ['done'] })).internal).toBe(1);
  const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
  expect(ids((await ready.run(context, {})).tasks)).toEqual(['.asks', 'evaluate-nothing', 'more']);

  const now = await statusNow.run(context, {});
  expect(ids(now.ready.rows)).toEqual(['.asks', 'evaluate-nothing', 'more']);
  expect(ids(now.not_ready.rows)).toEqual([]);
  expect(now.counts).toMatchObject({ ready: 3, open: 0, done: 1, failed: 1 });
  expect((await statusWork.run(context, {})).counts).toMatchObject({ ready: 3, open: 0, done: 1, failed: 1 });
  const picture = await graphPicture.run(context, {});
  expect([...ids(picture.tasks)].sort()).toEqual(shown);
  expect(picture).toMatchObject({ total: 5, left_out: 0 });
  expect(ids((await graphPicture.run(context, { search: 'evaluate-work' })).tasks)).toEqual(['evaluate-work']);
  const drawn = picturedGraph(await own.store.view(), 0, { all: true });
  expect(ids(drawn.picture.nodes).sort()).toEqual(shown);
  expect(drawn.hidden.internal).toBe(3);
});
