import { execFile, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';

/** User id for the server, which refuses to run as root. It owns no files. */
export const UNPRIVILEGED = 65_534;
const DEBIAN = '/usr/lib/postgresql';
const HOMEBREW = ['/opt/homebrew/opt', '/usr/local/opt', '/home/linuxbrew/.linuxbrew/opt'];

/** Database server started by this process. */
export interface OwnServer {
  readonly address: string;
  readonly version: string;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts this machine's newest PostgreSQL on a Unix socket in a new folder below `parent`, with these settings. It ends
 * with this process, even if that is killed. Errors: `database_server_missing`, `database_server_failed`.
 */
export function startOwnServer(
  parent: string,
  settings: readonly string[],
  places: readonly string[] = placesOfServers(process.env),
): Promise<OwnServer> {
  const flags = ['--encoding', 'UTF8', '--auth', 'trust', '--no-sync', '--no-instructions'];
  return startServerOn(parent, settings, places, (data) => [
    ...(['initdb', '--pgdata', data, '--username', 'troupe'] as const),
    ...flags,
  ]);
}

/**
 * Starts a server on the data that another PostgreSQL program creates in an empty folder. Errors:
 * `database_server_missing`, `database_server_failed`.
 */
export async function startServerOn(
  parent: string,
  settings: readonly string[],
  places: readonly string[],
  making: (data: string) => readonly [program: string, ...words: string[]],
): Promise<OwnServer> {
  const [maker] = making('');
  const programs = places.find((folder) =>
    [maker, 'postgres'].every((program) => existsSync(path.join(folder, program))),
  );
  if (programs === undefined) throw new TroupeError('database_server_missing');
  const home = mkdtempSync(path.join(parent, 'pg-'));
  const isRoot = process.getuid?.() === 0;
  const unprivileged = isRoot
    ? ['setpriv', `--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups']
    : [];
  const data = path.join(home, 'data');
  const env = { PATH: process.env['PATH'], HOME: home, LC_ALL: 'C.UTF-8' };
  const [program = '', ...words] = [...unprivileged, path.join(programs, maker), ...making(data).slice(1)];
  try {
    if (isRoot) chownSync(home, UNPRIVILEGED, UNPRIVILEGED); // fails within a sandbox
    await promisify(execFile)(program, words, { env, cwd: home });
  } catch (cause) {
    rmSync(home, { recursive: true, force: true });
    throw new TroupeError('database_server_failed', { why: (cause as Error).message, cause });
  }
  const flags = [...settings, 'listen_addresses=', `unix_socket_directories=${home}`];
  const server = [path.join(programs, 'postgres'), '-D', data, ...flags.flatMap((flag) => ['-c', flag])];
  // The server ends when the pipe to this process closes, for any reason.
  const script = `"$@" >"$0/log" 2>&1 & read -r _; kill -QUIT $!; wait $!; rm -rf "$0"`;
  const keeper = spawn('sh', ['-c', script, home, ...unprivileged, ...server], {
    env,
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true, // Ctrl-C in a terminal reaches only the run
  });
  const stop = async () => {
    const end = new Promise((resolve) => keeper.once('exit', resolve));
    keeper.stdin?.end();
    if (keeper.exitCode === null) await end;
  };
  try {
    await ready(home);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    address: `postgresql://troupe@localhost/postgres?host=${encodeURIComponent(home)}`,
    version: readFileSync(path.join(data, 'PG_VERSION'), 'utf8').trim(),
    stop,
  };
}

/** Waits for the socket, which exists once the server accepts connections. */
async function ready(home: string): Promise<void> {
  const deadline = performance.now() + DATABASE_LIMITS.ownServerMs;
  while (!existsSync(path.join(home, '.s.PGSQL.5432'))) {
    const log = logOf(home);
    const isOver = /\bFATAL:/.test(log) || performance.now() > deadline;
    if (isOver) throw new TroupeError('database_server_failed', { why: log.trim().split('\n').at(-1) ?? '' });
    await setTimeout(20);
  }
}

function logOf(home: string): string {
  const file = path.join(home, 'log');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** Folders that may contain server programs: those of PATH, then those of Debian and Homebrew, newest version first. */
export function placesOfServers(environment: NodeJS.ProcessEnv): string[] {
  const ofDebian = versionsIn(DEBIAN, /^()(\d+)$/).map((name) => path.join(DEBIAN, name, 'bin'));
  const ofHomebrew = HOMEBREW.flatMap((folder) =>
    versionsIn(folder, /^(postgresql@?)(\d*)$/).map((name) => path.join(folder, name, 'bin')),
  );
  return [...(environment['PATH'] ?? '').split(path.delimiter), ...ofDebian, ...ofHomebrew];
}

function versionsIn(folder: string, shape: RegExp): string[] {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => shape.test(name)) : [];
  const version = (name: string) => Number(shape.exec(name)?.[2]);
  return names.sort((left, right) => version(right) - version(left));
}
