import { expect } from 'vitest';
import { addDependency } from '#operations/graph/moves.js';
import { add } from '#operations/graph/tasks.js';
import { verifies } from '../verifies.js';
import { stage } from './agency/place.js';

verifies(
  'ui.after',
  'who adds an edge is told that a failure satisfies it, and refused what looks mistyped',
  async () => {
    const { call, store } = await stage();
    await call(add, { title: 'Write the parser' });
    const slip = expect.objectContaining({ code: 'unknown_task' });
    await expect(call(add, { title: 'Test it', after: ['write-the-parsr'] })).rejects.toThrow(slip);
    await expect(call(addDependency, { id: 'write-the-parser', dependency: 'write-the-parse' })).rejects.toThrow(slip);
    expect(await call(add, { title: 'Test it', after: ['write-the-parser'] })).toMatchObject({
      warnings: [],
      note: expect.stringContaining('--after-success'),
    });
    expect(await call(add, { title: 'Ship it', after_success: ['test-it'] })).not.toHaveProperty('note');
    expect(await call(add, { title: 'Early', after: ['test-itt'], allow_missing: true })).toMatchObject({
      warnings: [expect.stringContaining('Did you mean test-it?')],
    });
    await store.close();
  },
);
