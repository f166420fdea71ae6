import * as z from 'zod/mini';
import { isTask } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { isPlainSlug, taskSlug } from '#core/worktrees/names.js';
import { IN_USE } from '#core/worktrees/retention.js';
import { operation } from '#operations/operation.js';
import { isHeld } from './held.js';

const rowShape = z.object({
  task: z.string(),
  attempt: z.number(),
  path: z.optional(z.string()),
  branch: z.optional(z.string()),
  head: z.optional(z.string()),
  /** Commits that wg/integration lacks. */
  ahead: z.number(),
  /** Files that are not committed. */
  dirty: z.number(),
  removable: z.boolean(),
  reason: z.optional(z.string()),
  /** Why it is kept, or why it may go. */
  why: z.string(),
});

/** Every attempt that left a worktree or a branch. */
export const list = operation({
  name: 'worktree.list',
  input: z.strictObject({}),
  output: z.object({
    worktrees: z.array(rowShape),
    /** Commits on wg/integration that wait to be landed. */
    waiting: z.number(),
  }),
  async run(context) {
    const worktrees = await context.worktrees();
    const listed = await worktrees.list();
    const view = await (await context.graph()).view();
    const idOf = listed.every(({ slug }) => isPlainSlug(slug)) ? (slug: string) => slug : idsBySlug(view);
    const rows: z.infer<typeof rowShape>[] = [];
    for (const { slug, text, ...found } of listed) {
      const task = idOf(slug);
      const held = await isHeld(context, view, task, found.attempt);
      rows.push({ task, ...found, why: text, ...(held ? { removable: false, reason: 'in-use', why: IN_USE } : {}) });
    }
    return { worktrees: rows, waiting: await worktrees.waiting() };
  },
});

/** Ids that were cleaned for paths can only be found by looking at all of them. */
function idsBySlug(view: GraphView): (slug: string) => string {
  const ids = new Map<string, string>();
  for (const node of view.nodes()) if (isTask(node)) ids.set(taskSlug(node.id), node.id);
  return (slug) => ids.get(slug) ?? slug;
}
