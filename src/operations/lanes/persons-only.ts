import { TroupeError } from '#kernel/errors.js';
import type { Context } from '#operations/operation.js';

/** What all runs will be told from now on, a person decides. `user_only`. */
export function refuseTeachingRun({ caller }: Pick<Context, 'caller'>, what: string): void {
  if (caller.kind === 'run') throw new TroupeError('user_only', { what: `${what} is for a person to decide.` });
}
