import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { placesOfServers, UNPRIVILEGED } from '#adapters/postgres/own-server.js';
import { childrenOf, until } from '../scenarios/program.js';
import { type Place, SHARED_ADDRESS } from './network.js';

const AS_UNPRIVILEGED = ['setpriv', `--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups'];
const READY_MS = 60_000;
/** Little more than a small project and its WAL need. */
const SMALL_BYTES = 160 * 1024 ** 2;

interface ServerOptions {
  readonly place: Place;
  readonly port: number;
  /** Whether its files are on a small file system of its own, which can be filled. */
  readonly isSmall: boolean;
}

/** A PostgreSQL that flushes to disk and supports faults: kill, stop, pause, full disk, restart. */
export class FaultyServer {
  /** Address by unix socket, independent of the network. */
  readonly near: string;
  /** Address for machines of the network, with TLS. */
  readonly far: string;
  private readonly folder: string;
  private readonly place: Place;
  private readonly programs: string;
  private child: ChildProcess | undefined;

  private constructor(folder: string, { place, port }: ServerOptions, programs: string) {
    this.folder = folder;
    this.place = place;
    this.programs = programs;
    const authorities = encodeURIComponent(path.join(folder, 'trusted.pem'));
    this.near = `postgresql://troupe@localhost:${port}/postgres?host=${encodeURIComponent(folder)}`;
    this.far = `postgresql://troupe@${SHARED_ADDRESS}:${port}/postgres?sslrootcert=${authorities}`;
  }

  static async make(options: ServerOptions): Promise<FaultyServer> {
    const programs = placesOfServers(process.env).find((folder) => existsSync(path.join(folder, 'initdb')));
    if (programs === undefined) throw new Error('PostgreSQL is not installed');
    // Outside of the test folders: those are closed to the user that the server runs as.
    const folder = mkdtempSync(path.join(path.dirname(process.env['TROUPE_TEST_ROOM'] ?? tmpdir()), 'troupe-fleet-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const server = new FaultyServer(folder, options, programs);
    const data = server.data;
    mkdirSync(data);
    if (options.isSmall) {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${SMALL_BYTES}`, 'tmpfs', data]);
      onTestFinished(() => void execFileSync('umount', ['--lazy', data]));
    }
    for (const at of [folder, data]) chownSync(at, UNPRIVILEGED, UNPRIVILEGED);
    chmodSync(folder, 0o711);
    server.runs(
      'initdb',
      '--pgdata',
      data,
      '--username',
      'troupe',
      '--encoding',
      'UTF8',
      '--auth',
      'trust',
      '--no-sync',
    );
    server.certify();
    const rules = ['local all all trust', 'hostssl all all 10.77.0.0/16 trust', ''];
    writeFileSync(path.join(data, 'pg_hba.conf'), rules.join('\n'));
    const settings = [
      `listen_addresses = '${SHARED_ADDRESS}'`,
      `port = ${options.port}`,
      `unix_socket_directories = '${folder}'`,
      ...['ssl = on', 'fsync = on', 'max_connections = 300', 'shared_buffers = 32MB'],
      ...['min_wal_size = 32MB', 'max_wal_size = 64MB', "log_min_messages = 'warning'"],
    ];
    writeFileSync(path.join(data, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
    onTestFinished(() => server.kill());
    await server.start();
    return server;
  }

  private get data(): string {
    return path.join(this.folder, 'data');
  }

  async start(): Promise<void> {
    await until('the server to begin', async () => (await this.begun()) !== undefined, READY_MS);
  }

  /** Kills all its processes at once, as a power failure does. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === undefined) return;
    const children = childrenOf(child.pid ?? 0);
    for (const pid of [child.pid ?? 0, ...children]) signal(pid, 'SIGKILL');
    await this.ended();
  }

  /** `pg_ctl stop -m immediate`. */
  async stopAtOnce(): Promise<void> {
    this.child?.kill('SIGQUIT');
    await this.ended();
  }

  /** Stops all its processes; returns a function that continues them. */
  pause(): () => void {
    const all = [this.child?.pid ?? 0, ...childrenOf(this.child?.pid ?? 0)];
    for (const pid of all) signal(pid, 'SIGSTOP');
    return () => {
      for (const pid of all) signal(pid, 'SIGCONT');
    };
  }

  /** Fills its file system; returns a function that frees it. */
  fill(): () => void {
    const balloon = path.join(this.data, 'balloon');
    const file = openSync(balloon, 'w');
    const piece = Buffer.alloc(64 * 1024);
    try {
      for (;;) writeSync(file, piece);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
    } finally {
      closeSync(file);
    }
    return () => rmSync(balloon, { force: true });
  }

  /** Changes a setting of the running server; without a value, resets it. */
  async set(name: string, value?: string): Promise<void> {
    const database = await PostgresDatabase.of(this.near, 'postgres');
    try {
      const change = value === undefined ? `RESET ${name}` : `SET ${name} = '${value}'`;
      await database.query(`ALTER SYSTEM ${change}`);
      await database.query('SELECT pg_reload_conf()');
    } finally {
      await database.close();
    }
  }

  private async begun(): Promise<true | undefined> {
    if (this.child === undefined || this.child.exitCode !== null || this.child.signalCode !== null) this.spawn();
    const database = await PostgresDatabase.of(this.near, 'postgres');
    try {
      await database.query('SELECT 1');
      return true;
    } catch {
      await delay(100);
      return undefined;
    } finally {
      await database.close();
    }
  }

  private spawn(): void {
    // It ends with the test, however the test ends.
    const words = [...AS_UNPRIVILEGED, '--pdeathsig=KILL', path.join(this.programs, 'postgres'), '-D', this.data];
    const [program = '', ...before] = [...this.place.before, ...words];
    this.child = spawn(program, before, { stdio: 'ignore', cwd: '/', env: environment(this.folder) });
  }

  private async ended(): Promise<void> {
    const { child } = this;
    await until('the server to end', () => child === undefined || child.exitCode !== null || child.signalCode !== null);
    this.child = undefined;
  }

  private runs(program: string, ...words: string[]): void {
    const [first = '', ...before] = [...AS_UNPRIVILEGED, path.join(this.programs, program)];
    execFileSync(first, [...before, ...words], { stdio: 'pipe', cwd: this.folder, env: environment(this.folder) });
  }

  /** Creates a certificate for the address, for clients that are configured to trust it. */
  private certify(): void {
    const [key, certificate] = [path.join(this.data, 'server.key'), path.join(this.data, 'server.crt')];
    const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    const names = ['-subj', '/CN=fleet', '-addext', `subjectAltName=IP:${SHARED_ADDRESS}`];
    execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', certificate], { stdio: 'pipe' });
    chmodSync(key, 0o600);
    for (const file of [key, certificate]) chownSync(file, UNPRIVILEGED, UNPRIVILEGED);
    copyFileSync(certificate, path.join(this.folder, 'trusted.pem'));
  }
}

function environment(home: string): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: home, LC_ALL: 'C.UTF-8' };
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
