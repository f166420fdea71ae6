import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { type OwnServer, placesOfServers, startOwnServer, startServerOn } from '#adapters/postgres/own-server.js';

/** Below the folder of the run; whoever connects there is told the address of the server, or why there is none. */
export const ASKED_AT = 'postgres.ask';
<<<<<<< HEAD
=======
/** PostgreSQL does not run as root. Nobody owns anything. */
export const NOBODY = 65_534;
const DEBIAN = '/usr/lib/postgresql';
>>>>>>> db778fb9 (An end that is in the log is settled by no further leader)

/** Starts the PostgreSQL of this machine when the first test asks for it, and ends it with the run, also with one that is killed. */
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

/** Starts a hot standby of a server that runs here: it follows that one, and can only be read. */
export function startReplica(
  parent: string,
  { address }: Pick<OwnServer, 'address'>,
  settings: readonly string[],
): Promise<OwnServer> {
  const url = new URL(address);
  const primary = ['--host', url.searchParams.get('host') ?? '', '--username', url.username];
  const words = [...primary, '--write-recovery-conf', '--checkpoint=fast', '--no-sync'];
<<<<<<< HEAD
  return startServerOn(parent, settings, placesOfServers(process.env), (data) => [
    ...(['pg_basebackup', '--pgdata', data] as const),
    ...words,
  ]);
=======
  return startOn(parent, settings, (data) => ['pg_basebackup', '--pgdata', data, ...words]);
}

/** Starts a server on what a program of PostgreSQL made in an empty folder. */
async function startOn(
  parent: string,
  settings: readonly string[],
  making: (data: string) => readonly [program: string, ...words: string[]],
): Promise<Running> {
  const [maker] = making('');
  const programs = foldersOfPrograms().find((folder) =>
    [maker, 'postgres'].every((program) => existsSync(path.join(folder, program))),
  );
  if (programs === undefined) throw new Error('PostgreSQL is not installed');
  const home = mkdtempSync(path.join(parent, 'troupe-postgres-'));
  const isRoot = process.getuid?.() === 0;
  const unprivileged = isRoot ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups'] : [];
  const data = path.join(home, 'data');
  const env = { PATH: process.env['PATH'], HOME: home, LC_ALL: 'C.UTF-8' };
  const [program = '', ...words] = [...unprivileged, path.join(programs, maker), ...making(data).slice(1)];
  try {
    if (isRoot) chownSync(home, NOBODY, NOBODY); // refused within a sandbox
    execFileSync(program, words, { env, stdio: 'pipe', cwd: home });
  } catch (error) {
    rmSync(home, { recursive: true, force: true });
    throw error;
  }
  const flags = [...settings, 'listen_addresses=', `unix_socket_directories=${home}`];
  const server = [path.join(programs, 'postgres'), '-D', data, ...flags.flatMap((flag) => ['-c', flag])];
  // It ends when this process lets go of its input, however that comes about.
  const script = `"$@" >"$0/log" 2>&1 & read -r _; kill -QUIT $!; wait $!; rm -rf "$0"`;
  const keeper = spawn('sh', ['-c', script, home, ...unprivileged, ...server], {
    env,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Ctrl-C in a terminal reaches the run alone
  });
  await ready(path.join(home, '.s.PGSQL.5432'), keeper);
  return {
    address: `postgresql://troupe@localhost/postgres?host=${encodeURIComponent(home)}`,
    async stop() {
      const end = new Promise((resolve) => keeper.once('exit', resolve));
      keeper.stdin?.end();
      await end;
    },
  };
}

/** The socket is made when the server accepts connections. */
async function ready(socket: string, keeper: ChildProcess): Promise<void> {
  while (!existsSync(socket)) {
    if (keeper.exitCode !== null) throw new Error('PostgreSQL did not start');
    await setTimeout(20);
  }
}

/** Where its programs may lie, those of the newest version first. */
export function foldersOfPrograms(): string[] {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((left, right) => Number(right) - Number(left)) : [];
  return [...(process.env['PATH'] ?? '').split(':'), ...versions.map((version) => path.join(DEBIAN, version, 'bin'))];
>>>>>>> db778fb9 (An end that is in the log is settled by no further leader)
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
