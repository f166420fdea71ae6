import * as z from 'zod/mini';
import { operation } from '#operations/operation.js';

/** Makes `.workgraph/` in the project. Safe to run again. */
export const init = operation({
  name: 'project.init',
  input: z.strictObject({}),
  output: z.object({ folder: z.string(), created: z.boolean() }),
  async run(context) {
    return context.initialise();
  },
});
