import { isAskedToReport } from '#core/graph/unreported.js';
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
  if (task === undefined || !(HELD.has(task.status) || isAskedToReport(task))) return false;
  return ((await attemptKept(context, task))?.attempt ?? task.fence) === attempt;
}

/** What moves a person's branch or deletes work is for people. */
export function personsOnly(context: Context, verb: string): void {
  if (context.caller.kind !== 'run') return;
  throw new TroupeError('not_yours', {
    what: `A run may not ${verb}: a person does.`,
    hint: 'Say in the log of your task what is to be done.',
  });
}
