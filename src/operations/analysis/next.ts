import * as z from 'zod/mini';
import { nextUp } from '#core/analysis/next.js';
import { operation } from '#operations/operation.js';
import { brief, nullableText } from './shapes.js';

export const next = operation({
  name: 'analysis.next',
  input: z.strictObject({ member: z.optional(z.string()) }),
  output: z.object({
    task: z.nullable(z.extend(brief, { member: nullableText, exec: z.boolean() })),
    waiting_for_it: z.number(),
    ready: z.number(),
    reason: z.string(),
  }),
  async run(context, input) {
    return nextUp(await (await context.graph()).view(), input.member, context.clock.now());
  },
});
