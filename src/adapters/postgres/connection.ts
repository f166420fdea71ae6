import { readFileSync } from 'node:fs';
import { checkServerIdentity, rootCertificates } from 'node:tls';
import type { ClientConfig, CustomTypesConfig } from 'pg';
import { TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { type DatabaseAddress, isOnThisMachine } from './address.js';
import { keptPassword } from './kept-password.js';

/** The type of `seq` and of whatever else counts: it stays below 2 ** 53. */
const INT8 = 20;

type Driver = Pick<typeof import('pg'), 'Client' | 'Pool' | 'types'>;

/** The driver, which is a chunk of its own and loaded where a project is in a database. */
export async function databaseDriver(): Promise<Driver> {
  const unname = nameRuntime();
  try {
    return await import('pg');
  } finally {
    unname();
  }
}

/**
 * The driver finds out where it runs by `navigator`, which Node has since version 21; without one it makes a `Response`, for which Node loads
 * a whole HTTP client. Until it is loaded there is one. Answers how to take it away again.
 */
function nameRuntime(): () => void {
  if ('navigator' in globalThis) return () => undefined;
  const value = { userAgent: `Node.js/${process.versions.node}` };
  Object.defineProperty(globalThis, 'navigator', { value, configurable: true });
  return () => Reflect.deleteProperty(globalThis, 'navigator');
}

/**
 * A connection whose statements find the tables of one schema. Both sides notice within seconds that the other is gone, and nobody holds a
 * lock for longer than a moment: a process that was stopped in the middle of a change would stop all others.
 */
export function connectionConfig(driver: Driver, address: DatabaseAddress, schema: string): ClientConfig {
  const { host, port, database, user, password } = address;
  const settings = {
    search_path: schema,
    ...{ tcp_keepalives_idle: 5, tcp_keepalives_interval: 2, tcp_keepalives_count: 3 },
  };
  const types: CustomTypesConfig = {
    getTypeParser: (type, format) => (type === INT8 ? Number : driver.types.getTypeParser(type, format)),
  };
  return {
    ...{ host, port, database, user, types },
    password: password ?? keptPassword(address),
    ssl: isOnThisMachine(address) ? false : verified(address),
    application_name: 'troupe',
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    statement_timeout: DATABASE_LIMITS.statementMs,
    idle_in_transaction_session_timeout: DATABASE_LIMITS.idleMs,
    connectionTimeoutMillis: DATABASE_LIMITS.connectMs,
    // The server says so first, unless the line was cut.
    query_timeout: DATABASE_LIMITS.statementMs + DATABASE_LIMITS.idleMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
  };
}

/** TLS with a certificate that is trusted, and for this very host. */
function verified({ host, authorities }: DatabaseAddress): ClientConfig['ssl'] {
  return {
    rejectUnauthorized: true,
    // The driver tells no name where the host is an IP address, and `localhost` would be checked instead.
    checkServerIdentity: (_name, certificate) => checkServerIdentity(host, certificate),
    ...(authorities === undefined ? {} : { ca: [...rootCertificates, readAuthorities(authorities)] }),
  };
}

function readAuthorities(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new TroupeError('unreadable', { what: 'The file of sslrootcert cannot be read.', cause: error });
  }
}
