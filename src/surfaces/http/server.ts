/**
 * The server: guard, sessions, routes from the table, event streams, the built dashboard.
 * @packageDocumentation
 */
import type { Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import type { Output } from '#operations/map.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { OPERATIONS, UNLISTED } from '#operations/table.js';
import type { AccessTokens } from '#ports/access-tokens.js';
import type { Caller, Callers, PersonCaller } from '#ports/callers.js';
import { type Call, operationRoute } from '#surfaces/http/api.js';
import type { EngineFacts, ProjectAnswer } from '#surfaces/http/contract.js';
import { EventStreams, type Every, type Follow, firstEvent, systemEvery } from '#surfaces/http/events.js';
import { FailedTries } from '#surfaces/http/failed-tries.js';
import {
  type Front,
  type HttpLimits,
  type ListenAddress,
  listenFurther,
  listenOnPortOrFree,
  loopbackFront,
  nodeServer,
} from '#surfaces/http/fronts.js';
import { cookieName, type Guarded, onlyOurselves, requireSession, type Secrets } from '#surfaces/http/guard.js';
import { pathParams, resourceRoutes } from '#surfaces/http/resource-routes.js';
import { BrowserSessions, type DashboardStore } from '#surfaces/http/sessions.js';
import { loadWebFiles, type WebFile } from '#surfaces/http/web-files.js';
import { RESOURCE_ROUTES, SERVER_ADDRESSES } from './addresses.js';
import { answeringOnce } from './answering-once.js';
import { jsonBody } from './api.js';
import { SECURITY_HEADERS } from './guard.js';
import type { ApiTables } from './openapi.js';

export interface HttpOptions {
  readonly call: Call;
  /**
   * Resolves the caller of a change from this connection and the holder of its secret. Errors: `not_yours`,
   * `caller_unclear`.
   */
  readonly callerAt: Callers['connected'];
  readonly follow: Follow;
  readonly project: { readonly name: string; readonly folder: string };
  engine(): Promise<EngineFacts>;
  /** Folder of the built dashboard: `dist/web`. */
  readonly webFolder: string;
  /** Token for programs that may change the project; never part of an address, a log or an argument. */
  readonly token: string;
  /** Token for programs that only read; it permits no change. */
  readonly viewerToken?: string;
  /** Person on whose behalf both tokens act. */
  readonly person: PersonCaller;
  /** Tokens that the person made for programs. */
  readonly tokens: AccessTokens;
  /** Address to listen at beside the loopback one. */
  readonly listen?: ListenAddress | undefined;
  readonly clock: Clock;
  /** Persisted port and sessions: the earlier port is reused if it is free, and browsers stay logged in. */
  readonly memory: DashboardStore;
  /** Operations that have an address. Default: the whole table. */
  readonly operations?: readonly OperationSpec[];
  readonly every?: Every;
  readonly limits?: Partial<HttpLimits>;
  /** Receives internal errors (bugs); the HTTP client gets only a general message. */
  readonly report?: (error: unknown) => void;
}

export interface HttpServer {
  readonly port: number;
  /** `http://127.0.0.1:PORT`: holds no secret. */
  readonly address: string;
  /** All addresses at which the server is reached, the loopback one first. */
  readonly addresses: readonly string[];
  /** Issues a one-time code that logs one browser in for this holder; it expires after ten minutes. */
  loginCode(holder: Caller): string;
  /**
   * Returns the login address to open, at the last address it listens at: that one is reached from elsewhere, too. The
   * code follows `#`, which browsers never send to a server.
   */
  loginAddress(holder: Caller): string;
  /** Logs all browsers out and ends their event streams. */
  endSessions(): void;
  /** Ends event streams and connections. Idempotent. */
  close(): Promise<void>;
}

/** Starts the server of the dashboard and of programs that hold a token. Resolves when it listens. */
export async function startHttp(options: HttpOptions): Promise<HttpServer> {
  const { clock, tokens, limits = {}, every = systemEvery, report = () => undefined } = options;
  const stored = options.memory.read();
  const sessions = new BrowserSessions(
    clock,
    options.person,
    {
      token: options.token,
      ...(options.viewerToken === undefined ? {} : { viewer: options.viewerToken }),
    },
    { stored: stored.sessions, changed: (now) => options.memory.write({ port, sessions: now }) },
  );
  const streams = new EventStreams(options.follow, every);
  const files = await loadWebFiles(options.webFolder);
  const fronts: Front[] = [];
  const secrets = { sessions, tokens, tries: new FailedTries(clock), clock };
  const app = routes(options, { secrets, streams, files, fronts });
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  const server = nodeServer(answer, limits);
  const port = await listenOnPortOrFree(server, stored.port ?? 0);
  fronts.push(loopbackFront(port));
  const further =
    options.listen &&
    (await listenFurther(answer, options.listen, { limits, every, report }).catch(async (error) => {
      server.close();
      throw error;
    }));
  if (further) fronts.push(further.front);
  if (port !== stored.port) options.memory.write({ port, sessions: stored.sessions });
  const stopWatching = tokens.watch(() => streams.check());
  const loginCode = (holder: Caller) => sessions.loginCode(holder);
  const endSessions = () => {
    sessions.endAll();
    streams.check();
  };
  const shut = (one: Server) =>
    new Promise<void>((resolve, reject) => {
      one.close((error) => (error ? reject(error) : resolve()));
      one.closeAllConnections();
    });
  let closed: Promise<unknown> | undefined;
  const close = async () => {
    streams.close();
    stopWatching();
    further?.stopLooking();
    closed ??= Promise.all([server, ...(further ? [further.server] : [])].map(shut));
    await closed;
  };
  const addresses = fronts.map((front) => front.address);
  const loginAddress = (holder: Caller) => `${addresses.at(-1)}/#code=${loginCode(holder)}`;
  return { port, address: addresses[0] ?? '', addresses, loginCode, loginAddress, endSessions, close };
}

type App = Hono<Guarded>;

interface Parts {
  readonly secrets: Secrets;
  readonly streams: EventStreams;
  readonly files: ReadonlyMap<string, WebFile>;
  /** Complete once the server listens. */
  readonly fronts: readonly Front[];
}

function routes(options: HttpOptions, { secrets, streams, files, fronts }: Parts): App {
  const { sessions, tries } = secrets;
  const bodyBytes = options.limits?.bodyBytes ?? SURFACE_LIMITS.httpBodyBytes;
  const app: App = new Hono();
  app.use(async (context, next) => {
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) context.header(name, value);
    if (context.req.path.startsWith('/api/')) context.header('cache-control', 'no-store');
    await next();
  });
  app.use(onlyOurselves(fronts));
  app.post('/api/session', async (context) => {
    if (context.req.header('origin') === undefined)
      throw new TroupeError('foreign_origin', { what: 'A login needs an Origin header.' });
    const { remoteAddress: from = '' } = context.env.incoming.socket;
    tries.refuse(from);
    const { code } = await jsonBody(context.req.raw, bodyBytes);
    const session = typeof code === 'string' ? sessions.redeem(code) : undefined;
    if (session === undefined) {
      tries.count(from);
      throw new TroupeError('login_code_invalid');
    }
    const front = context.get('front');
    const maxAge = Math.floor(SURFACE_LIMITS.sessionMs / 1_000);
    const secure = front.scheme === 'https';
    setCookie(context, cookieName(front), session, {
      httpOnly: true,
      sameSite: 'Strict',
      secure,
      path: '/api',
      maxAge,
    });
    return context.body(null, 204);
  });
  app.use('/api/*', requireSession(secrets, options.callerAt));
  app.delete('/api/session', (context) => {
    const cookie = cookieName(context.get('front'));
    sessions.end(getCookie(context, cookie) ?? '');
    deleteCookie(context, cookie, { path: '/api' });
    streams.check();
    return context.body(null, 204);
  });
  app.get('/api/project', async (context) => {
    const { caller } = context.get('holder');
    const scope = caller.kind === 'run' ? 'run' : (caller.scope ?? 'owner');
    const visitor = scope === 'owner' ? 'person' : scope;
    const answer: ProjectAnswer = { project: options.project, engine: await options.engine(), visitor };
    return context.json(answer);
  });
  app.get('/api/artifacts/:id', async (context) => {
    const input = { id: context.req.param('id') };
    const answer = await options.call('artifact.get', input, context.get('holder').caller, undefined);
    return attachment(context, answer as Output<'artifact.get'>);
  });
  app.get('/api/events', (context) => {
    const from = firstEvent(context.req.header('last-event-id'), context.req.query('from'));
    const { ended } = context.get('holder');
    const body = streams.stream(from, ended, () => context.env.outgoing.destroy());
    return context.body(body, 200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store' });
  });
  const specs = options.operations ?? OPERATIONS;
  const call = answeringOnce(options.call);
  const document = documentOf(
    { operations: specs, unlisted: UNLISTED, resources: RESOURCE_ROUTES },
    () => fronts[0]?.port,
  );
  app.get('/api/openapi.json', async (context) =>
    context.body(await document(), 200, { 'content-type': 'application/json' }),
  );
  const ofResources = resourceRoutes(RESOURCE_ROUTES, {
    project: options.project.name,
    specs: [...specs, ...UNLISTED],
    call,
    maxBodyBytes: bodyBytes,
  });
  const ofTable = operationRoute(specs, call, bodyBytes);
  app.all('/api/*', async (context) => {
    refuseMethod(context);
    return (await ofResources(context)) ?? (await ofTable(context));
  });
  app.get('*', (context) => page(context, files));
  app.notFound(() => {
    throw new TroupeError('unknown_route');
  });
  app.onError((error, context) => failure(context, error, options.report));
  return app;
}

/** The OpenAPI document as text: made when it is first asked for, since that loads every operation. */
function documentOf(tables: ApiTables, port: () => number | undefined): () => Promise<string> {
  let made: Promise<string> | undefined;
  const make = async () => {
    const { openApi } = await import('./openapi.js');
    return JSON.stringify(await openApi(tables, port()));
  };
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

/** Refuses an address of the server with a method that it does not have. Errors: `method_not_allowed`. */
function refuseMethod(context: Context): void {
  const methods = SERVER_ADDRESSES.filter(({ path }) => pathParams(path, context.req.path)).map(({ method }) => method);
  if (methods.length === 0) return;
  const allowed = [...new Set(methods)].join(', ');
  context.header('allow', allowed);
  throw new TroupeError('method_not_allowed', { hint: `Use ${allowed}.` });
}

/** Sends an artifact as a download under its own name, so no browser renders it as one of our pages. */
function attachment(context: Context, { artifact, encoding, content }: Output<'artifact.get'>): Response {
  const bytes = Buffer.from(content ?? '', encoding === 'base64' ? 'base64' : 'utf8');
  const name = encodeURIComponent(artifact.name).replace(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16)}`,
  );
  context.header('content-disposition', `attachment; filename*=UTF-8''${name}`);
  return context.body(bytes, 200, { 'content-type': artifact.content_type });
}

function page(context: Context, files: ReadonlyMap<string, WebFile>): Response {
  const file = files.get(context.req.path);
  if (file === undefined) {
    if (context.req.path !== '/') throw new TroupeError('unknown_route');
    throw new TroupeError('unknown_route', { what: 'The dashboard is not built.', hint: 'Run `npm run build`.' });
  }
  context.header('etag', file.etag);
  context.header('cache-control', file.cacheControl);
  if (context.req.header('if-none-match') === file.etag) return context.body(null, 304);
  return context.body(file.body, 200, { 'content-type': file.type });
}

/**
 * Sends an error; all errors have the same shape. An internal error (a bug) is reported and described in general terms.
 */
function failure(context: Context, error: unknown, report: HttpOptions['report']): Response {
  const failure = error instanceof TroupeError ? error : new TroupeError('internal', { cause: error });
  if (failure.code === 'internal') report?.(error);
  return context.json({ error: failure.toJSON() }, failure.httpStatus as 400);
}
