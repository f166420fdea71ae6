import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { cut, inert } from '#kernel/text.js';
import type { Task } from './task.js';

/** A label of a worker, such as `gpu` or `region:eu`. */
const LABEL = /^[a-z0-9][a-z0-9._:-]{0,62}$/;

/** Labels that a worker must have to run a task; empty if any worker can. */
export function needsOf(task: Task | undefined): readonly string[] {
  return task?.needs ?? [];
}

/** Validates and deduplicates labels. Errors: `bad_input` for an invalid label, or too many. */
export function checkedLabels(labels: readonly string[]): readonly string[] {
  const wrong = labels.find((label) => !LABEL.test(label));
  if (wrong !== undefined)
    throw new TroupeError('bad_input', {
      what: `Not a label: ${JSON.stringify(cut(inert(wrong), 60))}`,
      hint: 'Use small letters, digits, . _ : and -, such as gpu.',
    });
  const own = [...new Set(labels)];
  if (own.length > SURFACE_LIMITS.labelsNeeded)
    throw new TroupeError('bad_input', { what: `A task can need at most ${SURFACE_LIMITS.labelsNeeded} labels.` });
  return own;
}
