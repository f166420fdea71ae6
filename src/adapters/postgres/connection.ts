import { readFileSync } from 'node:fs';
import type { ClientConfig, CustomTypesConfig } from 'pg';
import { TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { type DatabaseAddress, isOnThisMachine } from './address.js';
import { keptPassword } from './kept-password.js';

/** Type id of `seq` and other integers, which stay below 2 ** 53. */
const INT8 = 20;

type Driver = Pick<typeof import('pg'), 'Client' | 'Pool' | 'types'>;

/** Loads the driver, a separate chunk needed only for projects in a database. */
export async function databaseDriver(): Promise<Driver> {
  const unname = nameRuntime();
  try {
    return await import('pg');
  } finally {
    unname();
  }
}

/**
 * Defines `navigator` temporarily. The driver uses it to detect its runtime. If it is missing (before Node 21), the
 * driver creates a `Response`, for which Node loads a whole HTTP client. Returns a function that removes it again.
 */
function nameRuntime(): () => void {
  if ('navigator' in globalThis) return () => undefined;
  const value = { userAgent: `Node.js/${process.versions.node}` };
  Object.defineProperty(globalThis, 'navigator', { value, configurable: true });
  return () => Reflect.deleteProperty(globalThis, 'navigator');
}

/**
 * Configuration of connections to the tables of one schema. Both sides detect within seconds that the other is gone,
 * and locks are released soon: a process stopped during a change would otherwise block all others.
 */
export function connectionConfig(driver: Driver, address: DatabaseAddress, schema: string): ClientConfig {
  const { host, port, database, user, password } = address;
  const settings = {
    search_path: schema,
    tcp_keepalives_idle: 5,
    tcp_keepalives_interval: 2,
    tcp_keepalives_count: 3,
  };
  const types: CustomTypesConfig = {
    getTypeParser: (type, format) => (type === INT8 ? Number : driver.types.getTypeParser(type, format)),
  };
  return {
    host,
    port,
    database,
    user,
    types,
    password: password ?? keptPassword(address),
    ssl: isOnThisMachine(address) ? false : verified(address),
    application_name: 'troupe',
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    statement_timeout: DATABASE_LIMITS.statementMs,
    idle_in_transaction_session_timeout: DATABASE_LIMITS.idleMs,
    connectionTimeoutMillis: DATABASE_LIMITS.connectMs,
    // The server times out first, unless the connection was cut.
    query_timeout: DATABASE_LIMITS.statementMs + DATABASE_LIMITS.idleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: DATABASE_LIMITS.keepAliveMs,
  };
}

/**
 * TLS with a trusted certificate for exactly this host. As in libpq, authorities from `sslrootcert` replace those of the
 * system: adding theirs to each connection would cost 30 ms.
 */
function verified({ host, authorities }: DatabaseAddress): ClientConfig['ssl'] {
  const { checkServerIdentity } = process.getBuiltinModule('node:tls'); // slow to load
  return {
    rejectUnauthorized: true,
    // For an IP address the driver passes no name, and `localhost` would be checked instead.
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
    ...(authorities === undefined ? {} : { ca: readAuthorities(authorities) }),
  };
}

function readAuthorities(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new TroupeError('unreadable', { what: 'The file of sslrootcert cannot be read.', cause: error });
  }
}
