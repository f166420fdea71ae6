import { sha256 } from '#kernel/hash.js';
import { isJsonObject } from '#kernel/json.js';
import { compareText } from '#kernel/order.js';
import type { KnownRequest } from '#kernel/request.js';
import type { Context } from './operation.js';

/** The request of this call, for a change that is kept once; one that nobody can repeat gets an id of its own. */
export function requestOf(context: Pick<Context, 'request' | 'freshId'>, step?: string): KnownRequest {
  const { requestId = context.freshId(), input = '' } = context.request;
  return { requestId: step === undefined ? requestId : `${requestId}:${step}`, input };
}

/** The context with the hash of what is asked beside the id of the request, so that the id is taken for nothing else. */
export function withInput(context: Context, operation: string, input: unknown): Context {
  if (context.request.requestId === undefined) return context;
  return { ...context, request: { ...context.request, input: sha256(`${operation} ${canonicalJson(input)}`) } };
}

/** The same text whatever the order of keys. */
function canonicalJson(value: unknown): string | undefined {
  const sorted = (_: string, field: unknown) =>
    isJsonObject(field) ? Object.fromEntries(Object.entries(field).sort(([a], [b]) => compareText(a, b))) : field;
  return JSON.stringify(value, sorted);
}
