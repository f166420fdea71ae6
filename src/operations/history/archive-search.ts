import * as z from 'zod/mini';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { looked, movedOutShape } from './store-shapes.js';

/** Finds archived tasks by words of their id, title, description, tags or artifacts. */
export const archiveSearch = operation({
  name: 'archive.search',
  input: z.strictObject({
    query: z.string().check(z.minLength(1)),
    limit: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(1_000))),
  }),
  output: movedOutShape,
  async run(context, input) {
    const store = await context.graph();
    const found = await store.archived({ text: input.query });
    const shown = found.slice(0, input.limit ?? LIMITS.archiveRows);
    return looked('listed', shown, (await store.view()).seq, found.length);
  },
});
