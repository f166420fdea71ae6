import * as z from 'zod/mini';
import { resourceUse } from '#core/insight/resources.js';
import { operation } from '#operations/operation.js';
import { ids, list, nullableText } from './shapes.js';

const number = z.nullable(z.number());

export const resources = operation({
  name: 'analysis.resources',
  input: z.strictObject({}),
  output: z.object({
    resources: list(
      z.object({
        id: z.string(),
        name: nullableText,
        type: nullableText,
        unit: nullableText,
        available: number,
        required: z.number(),
        remaining: number,
        over: z.boolean(),
        tasks: ids,
        missing_estimates: ids,
      }),
    ),
    unknown: list(z.object({ id: z.string(), tasks: ids })),
  }),
  async run(context) {
    return resourceUse(await (await context.graph()).view());
  },
});
