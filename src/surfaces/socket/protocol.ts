/**
 * The protocol between commands and the service: one JSON object per line.
 * @packageDocumentation
 */

import type { ServiceRequest } from '#core/coordinator/service-requests.js';
import { errorFromJson, TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Introduction } from '#ports/callers.js';
import type { Credentials, OperationRequest } from '#ports/service.js';

/**
 * Identifies the calling process before a request. The process shows `shownName` of this line as its own name until it
 * is answered, which no other process can do for it.
 */
export interface IntroductionRequest extends Introduction {
  readonly cmd: 'identify';
  /** Makes the name unpredictable. */
  readonly nonce: string;
}

/** One JSON line from a command to the service. */
export type SocketRequest = (Credentials & (ServiceRequest | OperationRequest)) | IntroductionRequest;

/** One JSON line from the service: the fields of the answer beside `ok`. The answer of an operation is in `result`. */
export type SocketAnswer =
  | ({ readonly ok: true } & Readonly<Record<string, unknown>>)
  | { readonly ok: false; readonly error: unknown };

/** Serialises a request as one line. Errors: `too_large` if the service would not accept it. */
export function requestLine(request: SocketRequest): string {
  const line = JSON.stringify(request);
  if (Buffer.byteLength(line) > WORK_LIMITS.socketLineBytes) throw lineTooLong();
  return `${line}\n`;
}

export function lineTooLong(): TroupeError {
  return new TroupeError('too_large', {
    what: `A request may have at most ${WORK_LIMITS.socketLineBytes} bytes: nothing was changed.`,
    hint: 'Send a smaller request.',
  });
}

/** Returns the result in an answer of a service, or throws the error in it. */
export function resultIn({ ok, ...fields }: JsonObject): unknown {
  if (ok !== true) throw errorFromJson(fields['error']);
  return Object.hasOwn(fields, 'result') ? fields['result'] : fields;
}
