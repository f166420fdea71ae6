import { TroupeError } from '#kernel/errors.js';
import type { DatabaseAddress } from './address.js';

/**
 * Password for this database as for other PostgreSQL programs: PGPASSWORD, otherwise the matching line of `~/.pgpass`,
 * read when the server asks for it. Errors: `database_refused` if there is none.
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
