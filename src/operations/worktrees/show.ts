import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import { operation } from '#operations/operation.js';
import { changesShape } from './shapes.js';

/** What one attempt at a task changed against the commit it began with. */
export const show = operation({
  name: 'worktree.show',
  input: z.strictObject({ task: z.string(), attempt: z.optional(z.int().check(z.minimum(1))) }),
  output: z.object({
    task: z.string(),
    attempt: z.number(),
    /** All that are left. */
    attempts: z.readonly(z.array(z.number())),
    path: z.optional(z.string()),
    branch: z.string(),
    base: z.string(),
    head: z.string(),
    ahead: z.number(),
    clean: z.boolean(),
    changes: changesShape,
    untracked: z.readonly(z.array(z.string())),
    untracked_total: z.number(),
  }),
  async run(context, { task, attempt }) {
    const worktrees = await context.worktrees();
    const attempts = await worktrees.attempts(task);
    const wanted = attempt ?? attempts.at(-1);
    if (wanted === undefined) {
      throw new TroupeError('not_found', {
        what: `There is no worktree of ${inert(task.slice(0, 120))}.`,
        hint: 'Run `troupe worktree list` to see which there are.',
      });
    }
    const { untrackedTotal, ...found } = await worktrees.changes({ task, attempt: wanted });
    return { task, attempt: wanted, attempts, ...found, untracked_total: untrackedTotal };
  },
});
