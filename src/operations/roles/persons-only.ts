import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/** Errors: `user_only` for runs: only a person decides about instructions for all later runs. */
export function refuseTeachingRun({ caller }: Pick<Context, 'caller'>, what: string): void {
  if (caller.kind === 'run') throw new TroupeError('user_only', { what: `${what} is for a person to decide.` });
}
