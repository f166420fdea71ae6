import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import { operation } from '#operations/operation.js';
import { isHeld, personsOnly } from './held.js';

/** Removes what attempts at a task left, as far as nothing is lost by it. */
export const remove = operation({
  name: 'worktree.remove',
  input: z.strictObject({
    task: z.string(),
    attempt: z.optional(z.int().check(z.minimum(1))),
    force: z.optional(z.boolean()),
  }),
  output: z.object({
    task: z.string(),
    /** False when something was kept. */
    ok: z.boolean(),
    attempts: z.array(
      z.object({
        attempt: z.number(),
        removed: z.enum(['tree', 'tree-and-branch', 'nothing']),
        reason: z.optional(z.string()),
        why: z.string(),
        /** Where removed work can still be found. */
        saved_as: z.optional(z.string()),
      }),
    ),
  }),
  async run(context, { task, attempt, force }) {
    personsOnly(context, 'remove worktrees');
    const worktrees = await context.worktrees();
    const present = await worktrees.attempts(task);
    const wanted = attempt === undefined ? present : present.filter((number) => number === attempt);
    if (wanted.length === 0) {
      throw new TroupeError('not_found', {
        what: `There is no worktree of ${inert(task.slice(0, 120))}${attempt === undefined ? '' : `, attempt ${attempt}`}.`,
        hint: 'Run `troupe worktree list` to see which there are.',
      });
    }
    const view = await (await context.graph()).view();
    const attempts = [];
    for (const number of wanted) {
      const request = {
        task,
        attempt: number,
        inUse: await isHeld(context, view, task, number),
        force: force ?? false,
      };
      const { removed, text, ...rest } = await worktrees.remove(request);
      attempts.push({
        attempt: number,
        removed,
        why: text,
        ...('reason' in rest ? { reason: rest.reason } : {}),
        ...('savedAs' in rest && rest.savedAs !== undefined ? { saved_as: rest.savedAs } : {}),
      });
    }
    return {
      task,
      ok: attempts.every(({ removed, reason }) => removed !== 'nothing' || reason === 'absent'),
      attempts,
    };
  },
});
