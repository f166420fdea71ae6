import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { type OwnServer, placesOfServers, startOwnServer, startServerOn } from '#adapters/postgres/own-server.js';

/**
 * Socket below the folder of the run; a connection receives the address of the server, or the reason why there is none.
 */
export const ASKED_AT = 'postgres.ask';

/** Starts a PostgreSQL server when the first test asks for it, and ends it with the run, even if that is killed. */
export default function setup(): () => Promise<void> {
  const room = process.env['TROUPE_TEST_ROOM'] ?? '';
  let running: Promise<Pick<OwnServer, 'address' | 'stop'>> | undefined;
  const asked = createServer((caller) => {
    running ??= start(path.dirname(room));
    running.then(
      ({ address }) => caller.end(address),
      (error: Error) => caller.end(`none: ${error.message}`),
    );
  });
  asked.listen(path.join(room, ASKED_AT));
  return async () => {
    await closed(asked);
    const server = await running?.catch(() => undefined);
    if (server) await server.stop();
  };
}

async function start(parent: string): Promise<Pick<OwnServer, 'address' | 'stop'>> {
  const given = process.env['TROUPE_TEST_DATABASE_URL'];
  // No test cuts the power.
  return given === undefined
    ? await startOwnServer(parent, ['fsync=off', 'full_page_writes=off'])
    : { address: given, stop: async () => undefined };
}

/** Starts a hot standby of a local server: it replicates the server and is read-only. */
export function startReplica(
  parent: string,
  { address }: Pick<OwnServer, 'address'>,
  settings: readonly string[],
): Promise<OwnServer> {
  const url = new URL(address);
  const primary = ['--host', url.searchParams.get('host') ?? '', '--username', url.username];
  const words = [...primary, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
  return startServerOn(parent, settings, placesOfServers(process.env), (data) => [
    ...(['pg_basebackup', '--pgdata', data] as const),
    ...words,
  ]);
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
