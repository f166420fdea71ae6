import { setTimeout as delay } from 'node:timers/promises';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { FarRequests } from '#ports/far-requests.js';

/** Another machine leads the project: whoever wants to lead it stands by. */
export function isLedElsewhere(error: unknown): boolean {
  return isRefusal(error, 'locked') && error.details['epoch'] !== undefined;
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
  await requests.standDown();
  return false;
}

async function look(requests: FarRequests): Promise<boolean> {
  try {
    await requests.standBy();
    if ((await requests.leaders()).leader !== undefined) return false;
    await requests.standDown();
    return true;
  } catch (error) {
    if (error instanceof TroupeError && error.details['retriable'] === true) return false;
    throw error;
  }
}
