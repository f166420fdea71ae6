import { goesOnFrom } from '#core/graph/last-run.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';
import { attemptKept } from './attempt-of.js';

const HELD = new Set(['in-progress', 'waiting', 'pending-validation', 'blocked']);

/** Is the attempt the one its task is at, with somebody still at work, yet to answer or yet to look at it? */
export async function isHeld(
  context: Pick<Context, 'runs'>,
  view: GraphView,
  id: string,
  attempt: number,
): Promise<boolean> {
  const task = view.task(id);
  if (task === undefined || !HELD.has(task.status)) return false;
  return ((await attemptKept(context, task))?.attempt ?? task.fence) === attempt;
}

/** Does the next attempt at its task go on in this worktree? It stays, whatever is in it, unless a person removes it. */
export async function isGoneOnWith(
  context: Pick<Context, 'runs'>,
  view: GraphView,
  id: string,
  attempt: number,
): Promise<boolean> {
  const task = view.task(id);
  if (task === undefined || goesOnFrom(task) === undefined) return false;
  return (await attemptKept(context, task))?.attempt === attempt;
}

/** What moves a person's branch or deletes work is for people. */
export function personsOnly(context: Context, verb: string): void {
  if (context.caller.kind !== 'run') return;
  throw new TroupeError('not_yours', {
    what: `A run may not ${verb}: a person does.`,
    hint: 'Say in the log of your task what is to be done.',
  });
}
