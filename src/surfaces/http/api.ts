import type { Context } from 'hono';
import { parseDecimal } from '#kernel/decimal.js';
import { TroupeError } from '#kernel/errors.js';
import { type JsonObject, parseJsonObject } from '#kernel/json.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { isLoopback } from '#kernel/loopback.js';
import { refuseBeyondRights } from '#operations/call.js';
import { onItsMachineOnly } from '#operations/on-its-machine.js';
import { asksForFile, type OperationSpec, type OptionSpec } from '#operations/operation-spec.js';
import type { Caller } from '#ports/callers.js';
import type { Guarded } from './guard.js';

/**
 * Calls an operation of the table for a caller; it parses the input. `requestId` identifies a change that may be sent
 * again, so that it is made once.
 */
export type Call = (name: string, input: unknown, caller: Caller, requestId: string | undefined) => Promise<unknown>;

/**
 * Routes for the table of operations: `task.show` is GET /api/task/show?id=…, a change is a POST with a JSON body.
 * Operations that always run in the process of their caller have no address here: they take long, or concern the
 * caller's own terminal.
 */
export function operationRoute(
  specs: readonly OperationSpec[],
  call: Call,
  maxBodyBytes: number = SURFACE_LIMITS.httpBodyBytes,
) {
  const byPath = new Map(specs.filter((spec) => spec.where !== 'caller').map((spec) => [pathOf(spec), spec]));
  return async (context: Context<Guarded>): Promise<Response> => {
    const spec = byPath.get(context.req.path);
    if (spec === undefined) throw new TroupeError('unknown_route');
    const method = spec.kind === 'read' ? 'GET' : 'POST';
    if (context.req.method !== method) {
      context.header('allow', method);
      throw new TroupeError('method_not_allowed', { hint: `Use ${method} for ${spec.name}.` });
    }
    const caller = await callerFor(spec, context);
    refuseBeyondRights(spec, caller);
    const input =
      method === 'GET' ? queryInput(spec, context.req.queries()) : await jsonBody(context.req.raw, maxBodyBytes);
    refuseBeyondRights(spec, caller, input);
    if (method === 'GET' && asksForFile(spec, input))
      throw new TroupeError('bad_input', {
        what: 'A read over HTTP writes no file.',
        hint: 'Leave the file out: the answer has the content.',
      });
    const answer = await call(spec.name, input, caller, requestIdOf(context));
    return context.json(answer ?? null);
  };
}

/** Caller of an operation. Errors: `forbidden` for a read about the person that comes from another machine. */
async function callerFor(spec: OperationSpec, context: Context<Guarded>): Promise<Caller> {
  const holder = context.get('holder');
  if (spec.personal !== true) return holder.caller;
  if (!isLoopback(context.env.incoming.socket.remoteAddress ?? '')) throw onItsMachineOnly(spec);
  return await holder.proven();
}

/** Printable ASCII without spaces, so that a key is the same in every header, log and table. */
const REQUEST_ID = /^[\x21-\x7e]{1,200}$/;

/** Id of a change from the header `Idempotency-Key`; undefined for a read or without one. Errors: `bad_input`. */
export function requestIdOf(context: Context): string | undefined {
  const key = context.req.method === 'GET' ? undefined : context.req.header('idempotency-key');
  if (key === undefined || REQUEST_ID.test(key)) return key;
  throw new TroupeError('bad_input', {
    what: 'Idempotency-Key is not valid.',
    hint: 'Use 1 to 200 printable ASCII characters without spaces, such as a UUID.',
    details: { field: 'Idempotency-Key' },
  });
}

const pathOf = (spec: OperationSpec): string => `/api/${spec.name.replaceAll('.', '/')}`;

/** Converts query parameters to the types in the spec; a field that the spec does not name stays text. */
export function queryInput(
  spec: OperationSpec,
  query: Readonly<Record<string, readonly string[]>>,
): Record<string, unknown> {
  const types = new Map<string, OptionSpec['type']>();
  for (const argument of spec.arguments ?? []) types.set(argument.field, argument.many === true ? 'list' : 'text');
  for (const option of spec.options ?? []) types.set(option.field, option.type);
  return Object.fromEntries(
    Object.entries(query).map(([field, values]): [string, unknown] => {
      const [value = ''] = values;
      switch (types.get(field)) {
        case 'list':
        case 'each':
          return [field, values];
        case 'number':
          return [field, parseDecimal(value) ?? value];
        case 'switch':
          return [field, value === 'true' ? true : value === 'false' ? false : value];
        default:
          return [field, values.length > 1 ? values : value];
      }
    }),
  );
}

/**
 * Parses the JSON object in a request body of at most `most` bytes. Errors: `content_type`, `too_large`, `bad_input`.
 */
export async function jsonBody(request: Request, most: number): Promise<JsonObject> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new TroupeError('content_type');
  const length = Number(request.headers.get('content-length') ?? 0);
  if (length > most) throw tooLarge(most);
  const body = parseJsonObject(await textOf(request, most));
  if (body === undefined) throw new TroupeError('bad_input', { what: 'The body is not a JSON object.' });
  return body;
}

async function textOf(request: Request, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > most) throw tooLarge(most);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const tooLarge = (most: number) =>
  new TroupeError('too_large', { what: `The body is larger than ${most} bytes.`, hint: 'Send less at once.' });
