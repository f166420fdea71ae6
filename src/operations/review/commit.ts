import * as z from 'zod/mini';
import { checkFence } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { inert } from '#kernel/text.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import { option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { TASK_ID } from '#operations/options.js';
import { moverOf, text } from '#operations/shapes.js';
import { attemptOf, isAtWorkElsewhere } from './attempt.js';

/**
 * Commits the changes in an attempt's worktree, for agents whose shell cannot write to the repository: their sandbox
 * need not be opened. Errors: `not_found` without a worktree, `stale_attempt` for an attempt that lost its task.
 */
export const commit = operation({
  name: 'task.commit',
  command: 'commit',
  group: 'Attempts',
  kind: 'write',
  forRuns: 'own',
  summary: 'Commit all changes in the worktree of an attempt',
  examples: [
    'troupe commit write-the-parser -m "The parser reads empty input"',
    'troupe commit write-the-parser --message "Tests for empty input" --json',
  ],
  input: z.strictObject({
    id: TASK_ID,
    message: option(
      'The commit message',
      z.string().check(z.trim(), z.minLength(1), z.maxLength(SURFACE_LIMITS.commitMessageCharacters)),
      { short: 'm', value: 'TEXT' },
    ),
    actor: text,
  }),
  output: z.object({
    id: z.string(),
    committed: z.boolean(),
    commit: z.string(),
    left_out: z.readonly(z.array(z.string())),
  }),
  async run(context: GraphContext & FilesContext, { id, message, actor }) {
    const view = await (await context.graph()).view();
    const task = taskOf(view, id);
    checkFence(view, task, moverOf(context, actor));
    const attempt = await attemptOf(context, task);
    if (attempt === undefined) {
      throw new TroupeError('not_found', {
        what: `No attempt at ${inert(id)} has a worktree of its own now.`,
        hint: 'Run `troupe worktree show` to see them all.',
      });
    }
    if (await isAtWorkElsewhere(context, attempt)) {
      throw new TroupeError('not_found', {
        what: `The worktree of ${inert(id)} is at another machine.`,
        hint: 'Leave it: all of it is committed there when the run ends.',
      });
    }
    const { committed, commit, leftOut } = await (await context.trees()).commit(attempt, message);
    return { id, committed, commit, left_out: leftOut };
  },
});
