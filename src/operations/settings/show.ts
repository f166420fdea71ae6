import * as z from 'zod/mini';
import { loadSettings } from '#operations/load-settings.js';
import { operation } from '#operations/operation.js';
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
