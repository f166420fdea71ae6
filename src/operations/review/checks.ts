import * as z from 'zod/mini';
import { RUN_MODES } from '#core/review/plan.js';
import { operation } from '#operations/operation.js';
import { askRepository, describeRepository } from './start-review.js';

/** The commands of a repository that a review would start, and whether this person has ever trusted it. Runs none of them. */
export const checks = operation({
  name: 'review.checks',
  input: z.strictObject({ run: z.optional(z.enum(RUN_MODES)) }),
  output: z.object({
    checks: z.array(z.object({ title: z.string(), command: z.string(), folder: z.string() })),
    trusted: z.boolean(),
  }),
  async run(context, { run = 'fast' }) {
    const trusted = (await (await context.trust()).read()) !== undefined;
    const { top } = await describeRepository(context);
    const { commands } = await askRepository(context, await context.inspector(), top, run);
    return {
      trusted,
      checks: commands.map(({ title, program, args, folder }) => ({
        title,
        command: [program, ...args].join(' '),
        folder,
      })),
    };
  },
});
