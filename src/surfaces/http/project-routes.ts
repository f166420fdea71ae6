import type { Context } from 'hono';
import { TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';
import { checkedInput } from '#operations/call.js';
import type { OperationName } from '#operations/map.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { Call } from '#surfaces/http/api.js';
import type { Guarded } from '#surfaces/http/guard.js';
import { jsonBody } from './api.js';

/** Request to a route: path parameters by name, query parameters, and the JSON body. */
export interface RouteRequest {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  readonly body: JsonObject;
}

export interface Planned {
  /** An operation of the table, or one of the few outside it. */
  readonly name: OperationName;
  readonly input: object;
}

/** Resource address that maps a request to an operation. */
export interface ProjectRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Path segments; `:name` matches any one segment. */
  readonly path: string;
  /** Description for the reference. */
  readonly summary: string;
  /** Default 200; 204 sends no body. */
  readonly status?: 200 | 201 | 204;
  plan(request: RouteRequest): Planned;
  /** Selects the part of the answer to send. Default: all. */
  shape?(answer: unknown, request: RouteRequest): unknown;
  /** Converts a "not found" error to an answer; undefined keeps the error. */
  absent?(error: TroupeError): object | undefined;
}

/** Answers a request with the first matching route; `undefined` if none matches. */
export function projectRoutes(
  routes: readonly ProjectRoute[],
  options: {
    readonly project: string;
    readonly specs: readonly OperationSpec[];
    readonly call: Call;
    readonly maxBodyBytes: number;
  },
) {
  const specs = new Map(options.specs.map((spec) => [spec.name, spec]));
  return async (context: Context<Guarded>): Promise<Response | undefined> => {
    const fitting = routes.flatMap((route) => {
      const params = paramsOf(route.path, context.req.path);
      return params === undefined ? [] : [{ route, params }];
    });
    const [first] = fitting;
    if (first === undefined) return undefined;
    const match = fitting.find(({ route }) => route.method === context.req.method);
    if (match === undefined) {
      const allowed = fitting.map(({ route }) => route.method).join(', ');
      context.header('allow', allowed);
      throw new TroupeError('method_not_allowed', { hint: `Use ${allowed}.` });
    }
    const { route, params } = match;
    if (params['project'] !== undefined && params['project'] !== options.project) {
      throw new TroupeError('not_found', {
        what: 'There is no such project here.',
        hint: 'GET /api/project names it.',
      });
    }
    try {
      const carries = route.method !== 'GET' && context.req.header('content-type') !== undefined;
      const body = carries ? await jsonBody(context.req.raw, options.maxBodyBytes) : {};
      const request = { params, query: context.req.query(), body };
      const { name, input } = route.plan(request);
      const spec = specs.get(name);
      if (spec === undefined) throw new TroupeError('unknown_route');
      const answer = await options.call(
        name,
        checkedInput(spec, await spec.load(), input),
        context.get('holder').caller,
      );
      if (route.status === 204) return context.body(null, 204);
      return context.json((route.shape ? route.shape(answer, request) : answer) as object, route.status ?? 200);
    } catch (error) {
      const absent = error instanceof TroupeError ? route.absent?.(error) : undefined;
      if (absent !== undefined) return context.json(absent);
      throw asRequest(error);
    }
  };
}

/** Replaces the code `bad_input` by `bad_request`; message, hint and details stay the same. */
function asRequest(error: unknown): unknown {
  if (!(error instanceof TroupeError) || error.code !== 'bad_input') return error;
  const { message: what, hint, details } = error;
  return new TroupeError('bad_request', { what, hint, details, cause: error });
}

function paramsOf(pattern: string, address: string): Record<string, string> | undefined {
  const expected = pattern.split('/');
  const actual = address.split('/');
  if (expected.length !== actual.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of expected.entries()) {
    const segment = actual[index] ?? '';
    if (!part.startsWith(':')) {
      if (part !== segment) return undefined;
      continue;
    }
    const value = decoded(segment);
    if (value === undefined || value === '') return undefined;
    params[part.slice(1)] = value;
  }
  return params;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}
