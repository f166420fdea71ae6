import { setTimeout as delay } from 'node:timers/promises';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import type { RemoteRequests } from '#ports/remote-requests.js';

/**
 * Whether a service that failed to start becomes a standby: another machine leads the project, or, for a former leader
 * or standby, the database is unavailable for now.
 */
export function standsByAfter(error: unknown, isSuccessor: boolean): boolean {
  if (isRefusal(error, 'locked') && error.details['epoch'] !== undefined) return true;
  return isSuccessor && isAway(error);
}

/** A read-only database counts as unavailable: its administrator will make it writable again. */
function isAway(error: unknown): boolean {
  if (isRefusal(error, 'database_read_only')) return true;
  return error instanceof TroupeError && error.details['retriable'] === true;
}

/**
 * Waits as a standby until there is no leader and returns true; returns false once `isOver` does. While the database is
 * unavailable it keeps waiting, since a leader may still reach it.
 */
export async function untilNobodyLeads(requests: RemoteRequests, isOver: () => boolean): Promise<boolean> {
  while (!isOver()) {
    const leftMs = await look(requests);
    if (leftMs === 0) return true;
    // A lease that is not renewed is awaited to its very end.
    await delay(Math.min(Math.ceil(leftMs), DATABASE_LIMITS.standbyLookMs));
  }
  await requests.standDown().catch(() => undefined); // otherwise it is listed for one more lease
  return false;
}

/** Remaining lease of the leader in milliseconds: 0 without a leader, infinite while the database is unavailable. */
async function look(requests: RemoteRequests): Promise<number> {
  try {
    const leftMs = await requests.standBy();
    if (leftMs === 0) await requests.standDown();
    return leftMs;
  } catch (error) {
    if (isAway(error)) return Number.POSITIVE_INFINITY;
    throw error;
  }
}
