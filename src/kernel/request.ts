import { TroupeError } from './errors.js';
import { freshId } from './hash.js';

/** Identifies a request, so that a repeated one is executed once. */
export interface RequestMark {
  /** Idempotency key; undefined if the change is never repeated. */
  readonly requestId?: string;
  /**
   * SHA-256 of the operation and its input: the same id with another input is rejected. Undefined if the id is
   * sufficient, as for a change derived from a stored row.
   */
  readonly input?: string;
  /** Whether the id was created by this process and not sent yet, so that no answer can exist. */
  readonly fresh?: boolean;
}

/** Creates a request with a new id, made when it is first asked for: most reads are never sent anywhere. */
export function freshRequest(): Required<Pick<RequestMark, 'requestId' | 'fresh'>> {
  let id: string | undefined;
  return {
    get requestId() {
      id ??= freshId();
      return id;
    },
    fresh: true,
  };
}

/** A request with an id and the hash of its input. */
export type KnownRequest = Required<Pick<RequestMark, 'requestId' | 'input'>>;

/**
 * Rejects an id that was answered for another input. Answers stored without an input hash are accepted. Errors:
 * `request_id_reused`.
 */
export function refuseReused(requestId: string, before: string | undefined, now: string | undefined): void {
  if (before === undefined || now === undefined || before === now) return;
  throw new TroupeError('request_id_reused', { details: { request_id: requestId } });
}
