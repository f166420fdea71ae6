import * as z from 'zod/mini';
import type { Landing } from '#core/worktrees/landing.js';
import { operation } from '#operations/operation.js';
import { changesShape } from './shapes.js';
import { personsOnly } from './worktrees.js';

const shape = {
  branch: z.optional(z.string()),
  from: z.string(),
  to: z.string(),
  relation: z.enum(['same', 'ahead', 'behind', 'diverged']),
  /** The latest first. */
  commits: z.readonly(z.array(z.object({ commit: z.string(), subject: z.string() }))),
  commit_total: z.number(),
  /** Tasks whose work is among them. */
  tasks: z.readonly(z.array(z.string())),
  changes: changesShape,
  /** Why it cannot be landed now. */
  obstacle: z.optional(z.object({ code: z.string(), text: z.string(), hint: z.string() })),
};

/** What `land` would bring. Changes nothing. */
export const landing = operation({
  name: 'worktree.landing',
  input: z.strictObject({}),
  output: z.object(shape),
  run: async (context) => said(await (await context.worktrees()).landing()),
});

/** Moves the branch and the files of the person forward to a commit they were shown. */
export const land = operation({
  name: 'worktree.land',
  input: z.strictObject({ to: z.string() }),
  output: z.object({ ...shape, landed: z.boolean() }),
  async run(context, { to }) {
    personsOnly(context, 'land');
    const done = await (await context.worktrees()).land(to);
    return { ...said(done), landed: done.relation === 'ahead' };
  },
});

function said({ commitTotal, ...landing }: Landing) {
  return { ...landing, commit_total: commitTotal };
}
