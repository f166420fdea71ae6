import * as z from 'zod/mini';
import { functionSchema } from '#core/workflows/function-file.js';
import { operation } from '#operations/operation.js';
import { ownFunction } from './function-source.js';

/** A function as its file has it, also the keys that this version makes no use of. */
export const show = operation({
  name: 'func.show',
  input: z.strictObject({ id: z.string() }),
  output: functionSchema,
  async run(context, input) {
    const { source, id, version } = await ownFunction(context, input.id);
    return { ...source, kind: 'trace-function' as const, id, version };
  },
});
