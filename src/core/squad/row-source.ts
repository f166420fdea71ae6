import { type RequestMark, refuseReused } from '#kernel/request.js';

const REQUEST = 'request:';
const ASKED = /^(request:.*) ([0-9a-f]{64})$/s;

/**
 * Source of a row created by a request: the request id and the hash of its input. Undefined for a request without an
 * id.
 */
export function requestSource({ requestId, input }: RequestMark): string | undefined {
  if (requestId === undefined) return undefined;
  return input === undefined ? `${REQUEST}${requestId}` : `${REQUEST}${requestId} ${input}`;
}

/**
 * Whether a stored row came from the same request. Rows stored without an input hash match any input. Errors:
 * `request_id_reused` if the inputs differ.
 */
export function isSameSource(kept: string | undefined, source: string | undefined): boolean {
  if (kept === undefined || source === undefined) return false;
  const [before, now] = [parts(kept), parts(source)];
  if (before.id !== now.id) return false;
  refuseReused(now.id.slice(REQUEST.length), before.input, now.input);
  return true;
}

function parts(source: string): { readonly id: string; readonly input?: string } {
  const [, id, input] = ASKED.exec(source) ?? [];
  return id === undefined || input === undefined ? { id: source } : { id, input };
}
