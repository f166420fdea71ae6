// Conditions that finished work still waits for before it counts: a score, external validation, the merge after an
// approval.
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { cut, inert } from '#kernel/text.js';
import type { Task } from './task.js';
import { anything, numberField, taskField, textField } from './task-field.js';

const ACCEPTED = taskField('accepted', anything);

/** An approval whose merge is still in progress. Until the merge ends, the verdict cannot be withdrawn. */
export interface Acceptance {
  readonly by: string;
  readonly at: string;
  /** Fence of the attempt that produced the work. */
  readonly fence: number;
}

/** Returns the approval that the task's current attempt has; undefined if there is none. */
export function acceptedOf(task: Task | undefined): Acceptance | undefined {
  const record = ACCEPTED.of(task);
  if (task?.status !== 'pending-validation' || !isJsonObject(record)) return undefined;
  const { by, at, fence } = record;
  if (typeof by !== 'string' || typeof at !== 'string' || fence !== (task.fence ?? 0)) return undefined;
  return { by, at, fence };
}

/** Refuses to reject or fail work that is being merged, or whose approval was interrupted. Errors: `wrong_status`. */
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

/** Minimum score at which the work counts as done. */
export const EVAL_GATE = taskField('eval_gate', numberField);
/** Validator of the work: `external` means a person outside the graph. */
export const VALIDATION = taskField('validation', textField);
