import type { Context } from 'hono';
import { TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';
import { refuseBeyondRights } from '#operations/call.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import type { ResourceAddress } from '#operations/resource-address.js';
import type { Guarded } from '#surfaces/http/guard.js';
import { type Call, jsonBody, queryInput, requestIdOf } from './api.js';
import { renamed } from './field-names.js';
import { emptyOf, partOf } from './resource-answers.js';

/** A resource address with the name of its operation. */
export interface ResourceRoute extends ResourceAddress {
  readonly operation: string;
}

type Params = Readonly<Record<string, string>>;

/** Answers a request to a resource address with its operation; `undefined` for any other address. */
export function resourceRoutes(
  routes: readonly ResourceRoute[],
  options: {
    readonly project: string;
    readonly specs: readonly OperationSpec[];
    readonly call: Call;
    readonly maxBodyBytes: number;
  },
) {
  const specs = new Map(options.specs.map((spec) => [spec.name, spec]));
  // A word in a path takes precedence over a parameter in its place.
  const ordered = [...routes].sort((a, b) => a.path.split(':').length - b.path.split(':').length);
  return async (context: Context<Guarded>): Promise<Response | undefined> => {
    const found = resourcesAt(ordered, context.req.path);
    if (found === undefined) return undefined;
    const { params, resources } = found;
    const { method } = context.req;
    const rivals = resources.filter((route) => route.method === method);
    if (rivals.length === 0) {
      const allowed = [...new Set(resources.map((route) => route.method))].join(', ');
      context.header('allow', allowed);
      throw new TroupeError('method_not_allowed', { hint: `Use ${allowed}.` });
    }
    if (params['project'] !== undefined && params['project'] !== options.project) {
      throw new TroupeError('not_found', {
        what: 'There is no such project here.',
        hint: 'GET /api/project names it.',
      });
    }
    try {
      const carries = method !== 'GET' && context.req.header('content-type') !== undefined;
      const body = carries ? await jsonBody(context.req.raw, options.maxBodyBytes) : {};
      const route = meantBy(body, rivals);
      const spec = specs.get(route.operation);
      if (spec === undefined) throw new TroupeError('unknown_route');
      const { caller } = context.get('holder');
      refuseBeyondRights(spec, caller);
      const given = method === 'GET' ? queryOf(spec, route, context.req.queries()) : bodyOf(route, body);
      refuseBeyondRights(spec, caller, given);
      const input = { ...route.set, ...given, ...paramsOf(route, params) };
      return await answered(context, route, () => options.call(spec.name, input, caller, requestIdOf(context)));
    } catch (error) {
      throw asRequest(error);
    }
  };
}

/** The resources at an address: those of the first path that matches it. */
function resourcesAt(ordered: readonly ResourceRoute[], address: string) {
  for (const { path } of ordered) {
    const params = pathParams(path, address);
    if (params !== undefined) return { params, resources: ordered.filter((route) => route.path === path) };
  }
  return undefined;
}

async function answered(context: Context, { answer, status = 200 }: ResourceAddress, call: () => Promise<unknown>) {
  try {
    const result = await call();
    return status === 204 ? context.body(null, 204) : context.json(partOf(result, answer) as object, status);
  } catch (error) {
    const empty = emptyOf(error, answer);
    if (empty === undefined) throw error;
    return context.json(empty);
  }
}

/** The operation that a body means, of those with one address. Errors: `bad_input` if it means none. */
function meantBy(body: JsonObject, rivals: readonly ResourceRoute[]): ResourceRoute {
  const meant =
    rivals.find(({ when }) => when !== undefined && isMeant(body, when)) ?? rivals.find(({ when }) => !when);
  if (meant !== undefined) return meant;
  const [field = ''] = rivals.map(({ when }) => when?.field);
  throw new TroupeError('bad_input', {
    what: `${field} is not valid.`,
    hint: `Use one of these ${field}s: ${rivals.map(({ when }) => when?.value).join(', ')}.`,
    details: { field },
  });
}

const isMeant = (body: JsonObject, { field, value }: NonNullable<ResourceAddress['when']>): boolean =>
  Object.hasOwn(body, field) && (value === undefined || body[field] === value);

function bodyOf({ when, only, fields = [] }: ResourceAddress, body: JsonObject): JsonObject {
  if (only !== undefined) {
    const { field, value, what, hint } = only;
    if (body[field] === value && Object.keys(body).length === 1) return {};
    throw new TroupeError('bad_input', { what, hint, details: { field } });
  }
  if (when?.value === undefined) return renamed(body, fields);
  const { [when.field]: _, ...rest } = body;
  return renamed(rest, fields);
}

function queryOf(spec: OperationSpec, { fields = [] }: ResourceAddress, query: Readonly<Record<string, string[]>>) {
  return queryInput(spec, renamed(query, fields));
}

/** Input fields from the parameters of a path. Errors: `not_found` for a number that is none. */
function paramsOf({ params = [], numbers = [] }: ResourceAddress, given: Params): Record<string, unknown> {
  const values = params.map((param): [string, unknown] => {
    const [name, field] = typeof param === 'string' ? [param, param] : param;
    const text = given[name] ?? '';
    if (!numbers.includes(name)) return [field, text];
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new TroupeError('not_found', { what: 'There is no such number.' });
    return [field, Number(text)];
  });
  return Object.fromEntries(values);
}

/** Replaces the code `bad_input` by `bad_request`; message, hint and details stay the same. */
function asRequest(error: unknown): unknown {
  if (!(error instanceof TroupeError) || error.code !== 'bad_input') return error;
  const { message: what, hint, details } = error;
  return new TroupeError('bad_request', { what, hint, details, cause: error });
}

/** Parameters of an address that matches the pattern of a path; undefined for any other address. */
export function pathParams(pattern: string, address: string): Params | undefined {
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
