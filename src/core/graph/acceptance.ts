// What work that has ended still waits for before it counts: a score, somebody outside, the merge after an approval.
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { cut, inert } from '#kernel/text.js';
import type { Task } from './task.js';
import { anything, numberField, taskField, textField } from './task-field.js';

const ACCEPTED = taskField('accepted', anything);

/** A review has let the work pass and it is being merged: until that is over, nobody can take the verdict back. */
export interface Acceptance {
  readonly by: string;
  readonly at: string;
  /** Of the attempt whose work it is. */
  readonly fence: number;
}

/** Who accepted the work that the task waits with; undefined when nobody has. */
export function acceptedOf(task: Task | undefined): Acceptance | undefined {
  const record = ACCEPTED.of(task);
  if (task?.status !== 'pending-validation' || !isJsonObject(record)) return undefined;
  const { by, at, fence } = record;
  if (typeof by !== 'string' || typeof at !== 'string' || fence !== (task.fence ?? 0)) return undefined;
  return { by, at, fence };
}

/** Work that is being merged, or was before its approval was interrupted, is neither rejected nor failed: `wrong_status`. */
export function refuseAccepted(task: Task, action: string): void {
  const accepted = acceptedOf(task);
  if (!accepted) return;
  const who = cut(inert(accepted.by), 100);
  throw new TroupeError('wrong_status', {
    what: `${task.id} cannot be ${action}: ${who} has approved it, and its work is being merged.`,
    hint: `Wait for that. If it was interrupted, continue with \`troupe approve ${task.id}\`.`,
    details: { id: task.id, status: task.status, accepted: { ...accepted } },
  });
}

/** The score that the work has to reach before it counts as done. */
export const EVAL_GATE = taskField('eval_gate', numberField);
/** Who validates: `external` means a person outside of the graph. */
export const VALIDATION = taskField('validation', textField);
