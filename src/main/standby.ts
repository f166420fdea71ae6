import { setTimeout as delay } from 'node:timers/promises';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { FarRequests } from '#ports/far-requests.js';

/**
 * Whether a service that could not begin stands by: another machine leads the project, or, for one that led or stood by already, the
 * database is away for now.
 */
export function standsByAfter(error: unknown, isSuccessor: boolean): boolean {
  if (isRefusal(error, 'locked') && error.details['epoch'] !== undefined) return true;
  return isSuccessor && isAway(error);
}

/** Also where it can only be read: whoever looks after its server makes it whole again. */
function isAway(error: unknown): boolean {
  if (isRefusal(error, 'database_read_only')) return true;
  return error instanceof TroupeError && error.details['retriable'] === true;
}

/**
 * Stands by until nobody leads; false where `isOver` says before that this process is to go. A database that is away is waited for, as a
 * leader may be there beyond it.
 */
export async function untilNobodyLeads(requests: FarRequests, isOver: () => boolean): Promise<boolean> {
  while (!isOver()) {
    const isFree = await look(requests);
    if (isFree) return true;
    await delay(DATABASE_LIMITS.standbyLookMs);
  }
  await requests.standDown().catch(() => undefined); // it is not named for longer than a lease
  return false;
}

async function look(requests: FarRequests): Promise<boolean> {
  try {
    await requests.standBy();
    if ((await requests.leaders()).leader !== undefined) return false;
    await requests.standDown();
    return true;
  } catch (error) {
    if (isAway(error)) return false;
    throw error;
  }
}
