import * as z from 'zod/mini';
import { operation } from '#operations/operation.js';
import { loadSettings } from './load.js';
import { rowShape } from './shapes.js';

export const show = operation({
  name: 'config.show',
  input: z.strictObject({}),
  output: z.object({
    file: z.string(),
    settings: z.readonly(z.array(rowShape)),
    warnings: z.readonly(z.array(z.string())),
  }),
  async run(context) {
    const { rows, warnings } = await loadSettings(context);
    return { file: (await context.settings()).name, settings: rows, warnings };
  },
});
