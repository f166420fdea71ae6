import { isRefusal } from '#kernel/errors.js';

const CODES = ['remote_unreachable', 'database_away', 'database_unsure'] as const;

/** Whether something failed only as what it needs on other machines is away: the same passes later, and says nothing of the work. */
export function isOutOfReach(error: unknown): boolean {
  return CODES.some((code) => isRefusal(error, code));
}
