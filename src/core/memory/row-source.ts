import { type RequestMark, refuseReused } from '#kernel/request.js';

const REQUEST = 'request:';
const ASKED = /^(request:.*) ([0-9a-f]{64})$/s;

/** Source of a row that a request makes: its id, and the hash of what was asked. Undefined for a request that is never asked twice. */
export function requestSource({ requestId, input }: RequestMark): string | undefined {
  if (requestId === undefined) return undefined;
  return input === undefined ? `${REQUEST}${requestId}` : `${REQUEST}${requestId} ${input}`;
}

/** Bounds within which the sources of the same request are in order, the second excluded; undefined for any other source. */
export function sourceBounds(source: string): readonly [from: string, before: string] | undefined {
  if (!source.startsWith(REQUEST)) return undefined;
  const { id } = parts(source);
  return [id, `${id}!`]; // the next character after the blank
}

/**
 * Whether a kept row was made under the source of what is asked now. Errors: `request_id_reused` when its request asked for something
 * else; rows kept before inputs were compared pass.
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
