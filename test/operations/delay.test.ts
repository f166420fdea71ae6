import { expect } from 'vitest';
import { add } from '#operations/graph/tasks.js';
import { world } from '../e2e/world.js';
import { verifies } from '../verifies.js';

verifies(
  'graph.task.delay',
  'a delay is kept and sets the earliest moment; with a moment of its own it is a usage error',
  async () => {
    const { clock, context, store } = world();
    const settings = async () => ({ read: async () => ({}), update: async () => undefined }) as never;
    await add.run({ ...context, settings } as never, { title: 'A', id: 'a', delay: '90m' });
    const task = (await store.view()).task('a');
    expect(task).toMatchObject({ delay: '90m', not_before: new Date(clock.now() + 90 * 60_000).toISOString() });
    const both = { title: 'B', delay: '5m', not_before: '2030-01-01T00:00:00Z' };
    await expect(add.run({ ...context, settings } as never, both)).rejects.toThrow(
      expect.objectContaining({ code: 'usage' }),
    );
  },
);
