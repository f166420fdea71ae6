import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { isLoopback } from '#kernel/loopback.js';
import type { AccessToken, AccessTokens } from '#ports/access-tokens.js';
import type { Caller, Callers } from '#ports/callers.js';
import type { FailedTries } from './failed-tries.js';
import { type Front, frontOf } from './fronts.js';
import type { BrowserSessions } from './sessions.js';

/**
 * Returns the cookie name for a port. Cookies are not separated by port, so the name contains it; otherwise two
 * projects would log each other out.
 */
export const cookieName = ({ port }: Front): string => `troupe_session_${port}`;

/**
 * Refuses requests that do not come from our own page or address. Any web page can make a browser send requests to a
 * server that the browser reaches, and a name that resolves to its address makes them look local; so the Host must be
 * ours, and any header that names an origin must name us.
 */
export function onlyOurselves(fronts: readonly Front[]): MiddlewareHandler<Guarded> {
  return async (context, next) => {
    const front = frontOf(fronts, context.env.incoming.socket);
    const host = context.req.header('host') ?? '';
    if (!front.isOurs(host)) throw new TroupeError('foreign_host');
    const origin = context.req.header('origin');
    if (origin !== undefined && origin !== `${front.scheme}://${host}`) throw new TroupeError('foreign_origin');
    if (context.req.path.startsWith('/api/')) {
      // A page on another port of this machine counts as same-site, so its requests carry our cookie. Browsers report
      // that here.
      const site = context.req.header('sec-fetch-site');
      if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new TroupeError('foreign_origin');
    }
    context.set('front', front);
    await next();
  };
}

/** Values that the guard sets on a request for the handlers. */
export interface Guarded {
  readonly Bindings: HttpBindings;
  readonly Variables: { front: Front; holder: Holder };
}

/** Holder of the secret of a request. */
interface Holder {
  /** As whom it acts, with the rights of the secret. */
  readonly caller: Caller;
  /** The caller, proven also for a read. Errors: `not_yours`, `caller_unclear`. */
  proven(): Promise<Caller>;
  /** Reason why the secret is no longer valid; undefined as long as it is. */
  ended(): TroupeError | undefined;
}

/** Secrets that this server accepts. */
export interface Secrets {
  readonly sessions: BrowserSessions;
  readonly tokens: AccessTokens;
  readonly tries: FailedTries;
  readonly clock: Clock;
}

/**
 * Requires a bearer token or the session cookie of our own page; a change with a cookie also our Origin. Sets the holder
 * of the secret for the handlers.
 */
export function requireSession(secrets: Secrets, callerAt: Callers['connected']): MiddlewareHandler<Guarded> {
  const callerOf = rememberCallers(callerAt);
  return async (context, next) => {
    const bearer = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(context.req.header('authorization') ?? '')?.[1];
    const looks = context.req.method === 'GET' || context.req.method === 'HEAD';
    const { socket } = context.env.incoming;
    const by = bearer === undefined ? 'session' : 'token';
    const holder =
      bearer === undefined
        ? ofSession(secrets, getCookie(context, cookieName(context.get('front'))) ?? '')
        : ofToken(secrets, bearer, socket);
    if (by === 'session' && !looks && context.req.header('origin') === undefined) {
      throw new TroupeError('foreign_origin', { what: 'A change with a cookie needs an Origin header.' });
    }
    const proven = () => callerOf(socket, holder.caller, by);
    context.set('holder', { ...holder, proven, caller: looks ? holder.caller : await proven() });
    await next();
  };
}

/** Errors: `unauthenticated`. */
function ofSession({ sessions }: Secrets, id: string): Omit<Holder, 'proven'> {
  const caller = sessions.ofSession(id);
  if (caller === undefined) throw new TroupeError('unauthenticated');
  const loggedOut = () => new TroupeError('unauthenticated', { what: 'This browser is logged out.' });
  return { caller, ended: () => (sessions.ofSession(id) === undefined ? loggedOut() : undefined) };
}

/**
 * Holder of a bearer token. The tokens that a service writes into its project count on this machine only, because copies
 * of the project may contain their files. Errors: `unauthenticated`, `token_ended`, `too_many_tries`.
 */
function ofToken({ sessions, tokens, tries, clock }: Secrets, bearer: string, socket: Socket): Omit<Holder, 'proven'> {
  const address = socket.remoteAddress ?? '';
  tries.refuse(address);
  const local = isLoopback(address) ? sessions.ofToken(bearer) : undefined;
  if (local !== undefined) return { caller: local, ended: () => undefined };
  const token = tokens.ofSecret(bearer);
  if (token === undefined) {
    tries.count(address);
    throw new TroupeError('unauthenticated');
  }
  const ended = () => endOf(token, tokens, clock.now());
  const over = ended();
  if (over !== undefined) throw over;
  return { caller: { kind: 'person', name: token.person, scope: token.scope }, ended };
}

function endOf({ name, made, until }: AccessToken, tokens: AccessTokens, now: number): TroupeError | undefined {
  if (until <= now) return new TroupeError('token_ended', { what: `The token ${name} has expired.` });
  if (tokens.all().some((one) => one.name === name && one.made === made)) return undefined;
  return new TroupeError('token_ended', { what: `The token ${name} was revoked.` });
}

/**
 * Caches the caller per connection and holder of the secret: the process at the other end of a connection stays the
 * same.
 */
function rememberCallers(callerAt: Callers['connected']) {
  const found = new WeakMap<Socket, Map<string, Promise<Caller>>>();
  return (socket: Socket, holder: Caller, by: 'session' | 'token'): Promise<Caller> => {
    const callers = found.get(socket) ?? new Map<string, Promise<Caller>>();
    found.set(socket, callers);
    const key = JSON.stringify([by, holder]);
    const { remotePort: from = 0, remoteAddress: address = '', localPort: to = 0 } = socket;
    const caller = callers.get(key) ?? callerAt({ from, address, to }, holder, by);
    callers.set(key, caller);
    return caller;
  };
}

/**
 * Allows only our own files: no inline script or style (libraries that set styles do so through the CSSOM, which the
 * policy permits), no framing, no forms, no strings turned into markup.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "font-src 'none'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** Sent with every answer, including errors. No header here or elsewhere grants access to another origin. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};
