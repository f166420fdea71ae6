import { TroupeError } from '#kernel/errors.js';
import type { DatabaseAddress } from './address.js';

/**
 * The password that a person keeps for this database as other programs of PostgreSQL have it: PGPASSWORD, else the line of `~/.pgpass` that
 * fits. It is looked for when the server asks for one. Error: `database_refused` where there is none.
 */
export function keptPassword({ host, port, database, user }: DatabaseAddress): string | (() => Promise<string>) {
  return process.env['PGPASSWORD'] ?? (async () => (await inFile({ host, port, database, user })) ?? refuse());
}

async function inFile(entry: { host: string; port: number; database: string; user: string }) {
  const { default: find } = await import('pgpass');
  return await new Promise<string | undefined>((resolve) => find(entry, resolve));
}

function refuse(): never {
  throw new TroupeError('database_refused', {
    what: 'The database asks for a password, and none is kept for it here.',
    hint: 'Write HOST:PORT:DATABASE:USER:PASSWORD into ~/.pgpass, a file with mode 0600.',
    details: { retriable: false },
  });
}
