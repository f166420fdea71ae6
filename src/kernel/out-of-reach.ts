import { isRefusal, type TroupeError } from './errors.js';

const AWAY = ['remote_unreachable', 'database_away', 'database_unsure'] as const;
/** Of a database, and for now: a disk of this machine, or a login that may only read, is another matter. */
const CLOSED = ['database_read_only', 'disk_full'] as const;

/** Whether something failed only as what it needs on other machines is away: the same passes later, and says nothing of the work. */
export function isOutOfReach(error: unknown): boolean {
  if (AWAY.some((code) => isRefusal(error, code))) return true;
  return CLOSED.some((code) => isRefusal(error, code)) && (error as TroupeError).details['retriable'] === true;
}
