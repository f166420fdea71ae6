import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { TroupeError } from '#kernel/errors.js';
import type { Caller, Callers } from '#ports/callers.js';
import type { BrowserSessions, SecretHolder } from './sessions.js';

/** Cookies know no ports: the name holds it, so that two projects do not log each other out. */
export const cookieName = (port: number): string => `troupe_session_${port}`;

/**
 * Who may talk to a loopback server at all. A web page anywhere can make a browser send requests here, and a name that
 * resolves to 127.0.0.1 makes them look local; so the Host must be ours, and whatever names an origin must name us.
 */
export function onlyOurselves(port: () => number): MiddlewareHandler {
  return async (context, next) => {
    const host = context.req.header('host');
    if (host !== `127.0.0.1:${port()}` && host !== `localhost:${port()}`) throw new TroupeError('foreign_host');
    const origin = context.req.header('origin');
    if (origin !== undefined && origin !== `http://${host}`) throw new TroupeError('foreign_origin');
    if (context.req.path.startsWith('/api/')) {
      // A page on another port of this machine counts as same-site: its requests carry our cookie. Browsers say so here.
      const site = context.req.header('sec-fetch-site');
      if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new TroupeError('foreign_origin');
    }
    await next();
  };
}

/** What the guard found out about a request, for those who answer it. */
export interface Guarded {
  readonly Bindings: HttpBindings;
  readonly Variables: { holder: SecretHolder };
}

/**
 * A bearer token, or the session cookie of a page of ours; a change asked with a cookie must come with our Origin, and with
 * something that opens changes. Whoever answers learns from here on whose behalf that is.
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

/** Looks at a connection once for each who shows something over it: whoever has its other end keeps it. */
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
 * Nothing but our own files, no inline script and no inline style (libraries that set styles do so through the CSSOM,
 * which the policy does not forbid), no frame around us, no form, no string that becomes markup.
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

/** On every answer, also on refusals. No header here or anywhere grants another origin anything. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': CONTENT_SECURITY_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};
