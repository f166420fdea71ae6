import * as z from 'zod/mini';
import { operation } from '#operations/operation.js';

/** Brings `graph.jsonl` up to date with the log at once. */
export const snapshot = operation({
  name: 'store.snapshot',
  input: z.strictObject({}),
  output: z.object({ seq: z.number(), tasks: z.number() }),
  async run(context) {
    const store = await context.graph();
    const seq = await store.files.snapshot();
    return { seq, tasks: (await store.view()).size };
  },
});
