import { expect } from 'vitest';
import { undo } from '#operations/history/undo.js';
import { world } from '../../e2e/world.js';
import { verifies } from '../../verifies.js';

const coded = (code: string, message?: string) => expect.objectContaining({ code, ...(message ? { message } : {}) });

async function retried() {
  const own = world();
  await own.add('a', { status: 'failed', failure_reason: 'no key', completed_at: '2026-03-01T09:00:00Z' });
  await own.add('b', { status: 'failed', failure_reason: 'no key', completed_at: '2026-03-01T09:00:00Z' });
  const { seq } = (await own.call('task.retry', { id: 'a' })) as { seq: number };
  await own.call('task.retry', { id: 'b' });
  return { own, since: seq };
}

verifies('web.now.undo', 'retries are taken back together, from the entry that was the first of them', async () => {
  const { own, since } = await retried();
  expect(await own.call('task.undo', { ids: ['a', 'b'], since })).toMatchObject({
    ...{ taken: ['a', 'b'], kept: [] },
    events: [
      { op: 'undo', task_id: 'a' },
      { op: 'undo', task_id: 'b' },
    ],
  });
  const view = await own.store.view();
  for (const id of ['a', 'b'])
    expect(view.task(id)).toMatchObject({
      status: 'failed',
      failure_reason: 'no key',
      completed_at: '2026-03-01T09:00:00Z',
    });
  // Once more is once too often: the last entry about it is the undo.
  await expect(own.call('task.undo', { ids: ['a'] })).rejects.toThrow(
    coded('wrong_status', 'a stays as it is: it cannot be restored after undo.'),
  );
});

verifies('web.now.undo', 'without an entry, the last one about each task is taken back', async () => {
  const { own } = await retried();
  await own.call('task.log', { id: 'b', message: 'A note' });
  expect(await own.call('task.undo', { ids: ['a'] })).toMatchObject({ taken: ['a'] });
  await expect(own.call('task.undo', { ids: ['b'] })).rejects.toThrow(coded('wrong_status'));
  await expect(own.call('task.undo', { ids: ['nobody'] })).rejects.toThrow(coded('unknown_task'));
  await expect(own.call('task.undo', { ids: ['a'], since: 1_000 })).rejects.toThrow(coded('bad_input'));
});

verifies('web.now.undo', 'a change between reading the log and the commit is told, not undone unseen', async () => {
  const { own, since } = await retried();
  const context = {
    ...own.context,
    graph: async () => ({
      ...own.store,
      view: (at?: number | string) => own.store.view(at),
      entries: (from: number, to?: number) => own.store.entries(from, to),
      commit: async (...parts: Parameters<typeof own.store.commit>) => {
        await own.call('task.claim', { id: 'a', actor: 'bob' });
        return own.store.commit(...parts);
      },
    }),
  } as unknown as typeof own.context;
  await expect(undo.run(context, { ids: ['a'], since })).rejects.toThrow(
    coded('wrong_status', 'a has moved on in this moment.'),
  );
  expect((await own.store.view()).task('a')?.status).toBe('in-progress');
});
