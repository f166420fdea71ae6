import { TroupeError } from './errors.js';
import { freshId } from './hash.js';

/** Marks what a caller asks, so that asking twice does it once. */
export interface RequestMark {
  /** Undefined: the change is never asked twice. */
  readonly requestId?: string;
  /**
   * SHA-256 of the operation and its input: the same id with another one is refused. Undefined where the id says all, as for a change
   * that follows from a stored row.
   */
  readonly input?: string;
  /** Made by this process and not sent anywhere yet: nobody can have answered it. */
  readonly fresh?: boolean;
}

/** A request that nobody asked before. */
export function freshRequest(): Required<Pick<RequestMark, 'requestId' | 'fresh'>> {
  return { requestId: freshId(), fresh: true };
}

/** A request that has an id and says what was asked. */
export type KnownRequest = Required<Pick<RequestMark, 'requestId' | 'input'>>;

/** Refuses the id of a request that was answered for another input; what was kept before inputs were compared passes. */
export function refuseReused(requestId: string, before: string | undefined, now: string | undefined): void {
  if (before === undefined || now === undefined || before === now) return;
  throw new TroupeError('request_id_reused', { details: { request_id: requestId } });
}
