import * as z from 'zod/mini';
import { DOERS } from '#core/insight/done-by.js';
import { nextUp } from '#core/insight/next.js';
import { operation } from '#operations/operation.js';
import { clientInForce } from '#operations/settings/usable-executors.js';
import { brief, nullableText } from './shapes.js';

export const next = operation({
  name: 'analysis.next',
  input: z.strictObject({ member: z.optional(z.string()) }),
  output: z.object({
    task: z.nullable(z.extend(brief, { member: nullableText, done_by: z.enum(DOERS) })),
    waiting_for_it: z.number(),
    ready: z.number(),
    reason: z.string(),
  }),
  async run(context, input) {
    const view = await (await context.graph()).view();
    return nextUp(view, input.member, context.clock.now(), await clientInForce(context));
  },
});
