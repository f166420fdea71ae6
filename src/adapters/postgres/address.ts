import { TroupeError } from '#kernel/errors.js';

/** Address and credentials of a PostgreSQL database. */
export interface DatabaseAddress {
  /** Host name, IP address, or the folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  /** Undefined: uses PostgreSQL's password file, or the server needs none. */
  readonly password: string | undefined;
  /** File with certificates trusted in addition to the system's. */
  readonly authorities: string | undefined;
}

const PORT = 5432;
/** Allowed parameters of an address. TLS cannot be configured. */
const PARAMETERS = new Set(['host', 'sslmode', 'sslrootcert']);

/**
 * Parses `postgresql://user:password@host:port/database`; `?host=` names the folder of a Unix socket, `?sslrootcert=` a
 * file of certificates. Errors never repeat the text because it may contain a password. Errors: `bad_input`.
 */
export function parseAddress(text: string): DatabaseAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['postgresql:', 'postgres:'].includes(url.protocol))
    throw refused('it does not begin with postgresql://');
  const parameters = url.searchParams;
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.has(name));
  if (unknown !== undefined) throw refused('it has a parameter other than host, sslmode and sslrootcert');
  if ((parameters.get('sslmode') ?? 'verify-full') !== 'verify-full')
    throw refused('sslmode can only be verify-full: certificates are always checked');
  const [database, user] = [decoded(url.pathname.slice(1)), decoded(url.username)];
  if (database === '' || database.includes('/')) throw refused('it names no database');
  if (user === '') throw refused('it names no user');
  return {
    host: parameters.get('host') ?? url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? PORT : Number(url.port),
    database,
    user,
    password: url.password === '' ? undefined : decoded(url.password),
    authorities: parameters.get('sslrootcert') ?? undefined,
  };
}

/** Whether the connection stays on this machine (Unix socket or loopback) and cannot be intercepted. */
export function isOnThisMachine({ host }: Pick<DatabaseAddress, 'host'>): boolean {
  return host.startsWith('/') || host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Address for display, without credentials. */
export function shownAddress({ host, port, database }: DatabaseAddress): string {
  return host.startsWith('/')
    ? `${host}/${database}`
    : `${host.includes(':') ? `[${host}]` : host}:${port}/${database}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw refused('it contains a % that begins no character');
  }
}

function refused(why: string): TroupeError {
  return new TroupeError('bad_input', {
    what: `The address of the database is not valid: ${why}.`,
    hint: 'Write it as postgresql://USER:PASSWORD@HOST:5432/DATABASE.',
  });
}
