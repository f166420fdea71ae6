import { isRefusal, type TroupeError } from './errors.js';

const AWAY = ['remote_unreachable', 'database_away', 'database_unsure'] as const;
/** Transient only for a database: a full disk of this machine or a read-only login is not. */
const CLOSED = ['database_read_only', 'disk_full'] as const;

/**
 * Whether an error means only that a required remote resource is unreachable for now: a retry can succeed, and the
 * error does not concern the work itself.
 */
export function isUnreachable(error: unknown): boolean {
  if (AWAY.some((code) => isRefusal(error, code))) return true;
  return CLOSED.some((code) => isRefusal(error, code)) && (error as TroupeError).details['retriable'] === true;
}
