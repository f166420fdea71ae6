import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { TroupeError } from '#kernel/errors.js';
import type { Caller, Callers } from '#ports/callers.js';
import type { BrowserSessions, SecretHolder } from './sessions.js';

/**
 * Returns the cookie name for a port. Cookies are not separated by port, so the name contains it; otherwise two
 * projects would log each other out.
 */
export const cookieName = (port: number): string => `troupe_session_${port}`;

/**
 * Refuses requests that do not come from our own page or address. Any web page can make a browser send requests to a
 * loopback server, and a name that resolves to 127.0.0.1 makes them look local; so the Host must be ours, and any
 * header that names an origin must name us.
 */
export function onlyOurselves(port: () => number): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host');
    if (host !== `127.0.0.1:${port()}` && host !== `localhost:${port()}`) throw new TroupeError('foreign_host');
    const origin = context.req.header('origin');
    if (origin !== undefined && origin !== `http://${host}`) throw new TroupeError('foreign_origin');
    if (context.req.path.startsWith('/api/')) {
      // A page on another port of this machine counts as same-site, so its requests carry our cookie. Browsers report
      // that here.
      const site = context.req.header('sec-fetch-site');
      if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new TroupeError('foreign_origin');
    }
    await next();
  };
}

/** Values that the guard sets on a request for the handlers. */
export interface Guarded {
  readonly Bindings: HttpBindings;
  readonly Variables: { holder: SecretHolder };
}

/**
 * Requires a bearer token or the session cookie of our own page. A change needs a holder with scope `all`, and with a
 * cookie also our Origin. Sets the holder of the secret for the handlers.
 */
export function requireSession(
  sessions: BrowserSessions,
  port: () => number,
  callerAt: Callers['connected'],
): MiddlewareHandler<Guarded> {
  const callerOf = rememberCallers(callerAt);
  return async (context, next) => {
    const bearer = /^Bearer ([\x21-\x7e]{1,512})$/i.exec(context.req.header('authorization') ?? '')?.[1];
    const looks = context.req.method === 'GET' || context.req.method === 'HEAD';
    const tokenHolder = bearer === undefined ? undefined : sessions.ofToken(bearer);
    const holder = tokenHolder ?? sessions.ofSession(getCookie(context, cookieName(port())) ?? '');
    if (holder === undefined) throw new TroupeError('unauthenticated');
    if (tokenHolder === undefined && !looks && context.req.header('origin') === undefined) {
      throw new TroupeError('foreign_origin', { what: 'A change with a cookie needs an Origin header.' });
    }
    if (!looks && holder.scope === 'look') throw new TroupeError('forbidden');
    if (looks) context.set('holder', holder);
    else {
      const by = tokenHolder === undefined ? 'session' : 'token';
      context.set('holder', { ...holder, caller: await callerOf(context.env.incoming.socket, holder, by) });
    }
    await next();
  };
}

/**
 * Caches the caller per connection and holder of the secret: the process at the other end of a connection stays the
 * same.
 */
function rememberCallers(callerAt: Callers['connected']) {
  const found = new WeakMap<Socket, Map<string, Promise<Caller>>>();
  return (socket: Socket, holder: SecretHolder, by: 'session' | 'token'): Promise<Caller> => {
    const callers = found.get(socket) ?? new Map<string, Promise<Caller>>();
    found.set(socket, callers);
    const key = JSON.stringify([by, holder]);
    const { remotePort: from = 0, localPort: to = 0 } = socket;
    const caller = callers.get(key) ?? callerAt({ from, to }, holder, by);
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
