import type { Context } from 'hono';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { checkedInput } from '#operations/call.js';
import type { Face, OptionFace } from '#operations/face.js';
import type { Caller } from '#operations/operation.js';
import { jsonBody } from '#surfaces/http/body.js';
import type { Guarded } from '#surfaces/http/guard.js';

/** Runs one operation of the table for somebody; its input has been parsed. */
export type Call = (name: string, input: unknown, caller: Caller) => Promise<unknown>;

/**
 * The table as addresses: `task.show` is GET /api/task/show?id=…, a change is a POST with a JSON body. Operations that
 * always run in the process of their caller have no address here: they are long, or concern the caller's own terminal.
 */
export function operationRoute(faces: readonly Face[], call: Call, maxBodyBytes: number = LIMITS.httpBodyBytes) {
  const byPath = new Map(faces.filter((face) => face.where !== 'caller').map((face) => [pathOf(face), face]));
  return async (context: Context<Guarded>): Promise<Response> => {
    const face = byPath.get(context.req.path);
    if (face === undefined) throw new TroupeError('unknown_route');
    const method = face.kind === 'read' ? 'GET' : 'POST';
    if (context.req.method !== method) {
      context.header('allow', method);
      throw new TroupeError('method_not_allowed', { hint: `Ask ${face.name} with ${method}.` });
    }
    const given =
      method === 'GET' ? queryInput(face, context.req.queries()) : await jsonBody(context.req.raw, maxBodyBytes);
    const input = checkedInput(face, await face.load(), given);
    return context.json((await call(face.name, input, context.get('holder').caller)) ?? null);
  };
}

const pathOf = (face: Face): string => `/api/${face.name.replaceAll('.', '/')}`;

/** Words of a query, turned into what the face says a field is; a field the face does not name stays text. */
function queryInput(face: Face, query: Readonly<Record<string, readonly string[]>>): Record<string, unknown> {
  const types = new Map<string, OptionFace['type']>();
  for (const argument of face.arguments ?? []) types.set(argument.field, argument.many === true ? 'list' : 'text');
  for (const option of face.options ?? []) types.set(option.field, option.type);
  return Object.fromEntries(
    Object.entries(query).map(([field, values]): [string, unknown] => {
      const [value = ''] = values;
      switch (types.get(field)) {
        case 'list':
        case 'each':
          return [field, values];
        case 'number':
          return [field, value.trim() === '' ? Number.NaN : Number(value)];
        case 'switch':
          return [field, value === '' || value === 'true' ? true : value === 'false' ? false : value];
        default:
          return [field, values.length > 1 ? values : value];
      }
    }),
  );
}
