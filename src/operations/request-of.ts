import { canonicalJson } from '#kernel/canonical-json.js';
import { sha256 } from '#kernel/hash.js';
import type { KnownRequest } from '#kernel/request.js';
import type { Context } from './operation.js';

/** Request of this call, for an idempotent change; a request without an id gets a new one. */
export function requestOf(context: Pick<Context, 'request' | 'freshId'>, step?: string): KnownRequest {
  const { requestId = context.freshId(), input = '' } = context.request;
  return { requestId: step === undefined ? requestId : `${requestId}:${step}`, input };
}

/** Adds the hash of operation and input to the request, so that its id cannot be reused for another input. */
export function withInput(context: Context, operation: string, input: unknown): Context {
  if (context.request.requestId === undefined) return context;
  return { ...context, request: { ...context.request, input: sha256(`${operation} ${canonicalJson(input)}`) } };
}
