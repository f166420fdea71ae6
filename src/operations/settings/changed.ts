import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/** What every change of settings says beside the values. */
export const changedShape = {
  file: z.string(),
  /** Whether comments and order of the file are as they were. */
  comments_kept: z.boolean(),
  warnings: z.readonly(z.array(z.string())),
};

/** Refuses a run with `not_yours`. */
export function personsSettings(context: Context): void {
  if (context.caller.kind === 'run')
    throw new TroupeError('not_yours', { what: 'A run does not change settings: a person does.' });
}
