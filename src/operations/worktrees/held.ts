import { isAskedToReport } from '#core/graph/unreported.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

const HELD = new Set(['in-progress', 'waiting', 'pending-validation', 'blocked']);

/** Is the attempt the one its task is at, with somebody still at work, yet to answer or yet to look at it? */
export function isHeld(view: GraphView, id: string, attempt: number): boolean {
  const task = view.task(id);
  return task !== undefined && task.fence === attempt && (HELD.has(task.status) || isAskedToReport(task));
}

/** What moves a person's branch or deletes work is for people. */
export function personsOnly(context: Context, verb: string): void {
  if (context.caller.kind !== 'run') return;
  throw new TroupeError('not_yours', {
    what: `A run may not ${verb}: a person does.`,
    hint: 'Say in the log of your task what is to be done.',
  });
}
