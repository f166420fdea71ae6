// Changes of what a task is a part of.
import type { Patch } from '#core/graph/event.js';
import { isTerminal, type Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { shellWord } from '#kernel/text.js';

/**
 * Checks that a task, which may not exist yet, can become a part of `epic`. Errors: `unknown_task`, `bad_input` for a
 * circle, `wrong_status` if the epic can no longer wait, `too_large`.
 */
export function checkPart(view: GraphView, id: string, epic: string, after: readonly string[]): void {
  const whole = taskOf(view, epic);
  const seen = new Set<string>();
  for (let above: Task | undefined = whole; above && !seen.has(above.id); above = view.task(above.epic ?? '')) {
    seen.add(above.id);
    if (above.id !== id) continue;
    throw new TroupeError('bad_input', {
      what: epic === id ? `${id} cannot be a part of itself.` : `${epic} is a part of ${id} already.`,
      details: { id, epic },
    });
  }
  if (after.includes(epic)) {
    throw new TroupeError('bad_input', {
      what: `${id} cannot be a part of ${epic} and wait for it: an epic waits for its parts.`,
      details: { id, epic },
    });
  }
  if (!canGetParts(whole)) {
    const over = isTerminal(whole.status);
    throw new TroupeError('wrong_status', {
      what: `${epic} is ${whole.status}, so it can no longer wait for a new part.`,
      hint: over ? `Run \`troupe reopen ${shellWord(epic)}\` first.` : 'Add the part when this attempt is over.',
      details: { id: epic, status: whole.status },
    });
  }
  if ((whole.after?.length ?? 0) < WORK_LIMITS.edgesPerTask || whole.after?.includes(id) === true) return;
  throw new TroupeError('too_large', {
    what: `${epic} depends on ${WORK_LIMITS.edgesPerTask} tasks already: it cannot get another part.`,
    hint: 'Put parts together under an epic of their own.',
    details: { id: epic, limit: WORK_LIMITS.edgesPerTask },
  });
}

/** Whether the task can still wait for one more. */
export function canGetParts({ status }: Task): boolean {
  return !isTerminal(status) && status !== 'in-progress' && status !== 'pending-validation';
}

/** The epic no longer waits for a task that is not its part any more; none if it is gone or does not wait for it. */
export function leavePatch(view: GraphView, { id, epic }: Task): Patch[] {
  const whole = view.task(epic ?? '');
  if (whole?.after?.includes(id) !== true) return [];
  const rest = { after: without(whole.after, id), after_success: without(whole.after_success, id) };
  const set = Object.fromEntries(Object.entries(rest).filter(([, ids]) => ids.length > 0));
  const unset = Object.entries(rest).flatMap(([field, ids]) => (ids.length > 0 ? [] : [field]));
  return [{ id: whole.id, set, unset }];
}

function without(ids: readonly string[] = [], id: string): string[] {
  return ids.filter((other) => other !== id);
}
