import { slugOf } from '#core/catalog/member-slug.js';
import { checkFence } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import { memberNamed } from '#core/team/member-wish.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';

/**
 * The slug of the member in whose name something is proposed. A person may speak for any member; a run for the one its task
 * belongs to, as long as it holds the task. Errors: `not_found`, `not_yours`, `stale_attempt`.
 */
export async function memberSpokenFor(context: Context, name: string): Promise<string> {
  const { slug } = memberNamed(await (await context.squad()).read(), name);
  const { caller } = context;
  if (caller.kind === 'person') return slug;
  const view = await (await context.graph()).view();
  const task = taskOf(view, caller.taskId);
  checkFence(view, task, moverOf(context));
  if (task.member === undefined || slugOf(task.member) !== slug)
    throw new TroupeError('not_yours', {
      what: 'A run proposes for the member its task belongs to, and for nobody else.',
    });
  return slug;
}
