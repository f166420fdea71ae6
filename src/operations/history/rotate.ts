import * as z from 'zod/mini';
import { operation } from '#operations/operation.js';
import { personsOnly } from './store-shapes.js';

/** Closes the present piece of the log and packs it away, before it is as large as it may be. */
export const rotate = operation({
  name: 'store.rotate',
  input: z.strictObject({}),
  output: z.object({
    rotated: z.boolean(),
    from: z.optional(z.number()),
    to: z.optional(z.number()),
    before: z.optional(z.number()),
    after: z.optional(z.number()),
    files: z.optional(z.readonly(z.array(z.string()))),
    seq: z.number(),
  }),
  async run(context) {
    personsOnly(context, 'close the log');
    const store = await context.graph();
    const rotated = await store.files.rotate();
    return { rotated: rotated !== undefined, ...rotated, seq: (await store.view()).seq };
  },
});
