import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '#kernel/clock.js';
import type { Processes, ProcessIdentity, ProcessLock } from '#ports/processes.js';
import { FileLock } from './file-lock.js';

/** Facts about processes from `/proc`, or from `ps` where there is no `/proc`. */
export class ProcessTable implements Processes {
  private own: ProcessIdentity | undefined;
  private bootId: string | undefined;

  lock(file: string, clock: Clock): ProcessLock {
    return new FileLock(file, this, clock);
  }

  self(): ProcessIdentity {
    this.own ??= {
      pid: process.pid,
      start: this.startOf(process.pid) ?? 'unknown',
      host: hostname(),
      boot: this.boot(),
    };
    return this.own;
  }

  startOf(pid: number): string | undefined {
    if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
    return process.platform === 'linux' ? startFromProc(pid) : startFromPs(pid);
  }

  namespace(): string | undefined {
    try {
      return readlinkSync('/proc/self/ns/pid');
    } catch {
      return undefined; // no such thing on this system, or nothing of it is shown here
    }
  }

  isStopped(pid: number): boolean {
    const state = process.platform === 'linux' ? fieldsOf(pid)?.[0] : fromPs(pid, 'stat=');
    return state?.[0]?.toUpperCase() === 'T';
  }

  commandOf(pid: number): string | undefined {
    if (this.startOf(pid) === undefined) return undefined;
    if (process.platform !== 'linux') return fromPs(pid, 'command=');
    return readOrNothing(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ');
  }

  state(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
    if (identity.host !== hostname()) return 'unknown';
    if (identity.boot !== this.boot()) return 'dead';
    return this.startOf(identity.pid) === identity.start ? 'alive' : 'dead';
  }

  signalGroup(groupId: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGCONT'): boolean {
    return groupId > 1 && send(-groupId, signal);
  }

  signal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
    return pid > 1 && send(pid, signal);
  }

  withEnvironment(name: string, value: string): readonly number[] {
    const wanted = `${name}=${value}`;
    return otherProcesses().filter((pid) => readOrNothing(`/proc/${pid}/environ`)?.split('\0').includes(wanted));
  }

  holdingOpen(words: string, folder: string): readonly number[] {
    return otherProcesses().filter(
      (pid) =>
        readOrNothing(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').includes(words) &&
        openFiles(pid).some((file) => file.startsWith(`${folder}/`)),
    );
  }

  private boot(): string {
    this.bootId ??= readOrNothing('/proc/sys/kernel/random/boot_id')?.trim() ?? 'unknown';
    return this.bootId;
  }
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH' || (error as NodeJS.ErrnoException).code === 'EPERM')
      return false;
    throw error;
  }
}

/** Field 22 of `/proc/PID/stat`. */
function startFromProc(pid: number): string | undefined {
  const fields = fieldsOf(pid);
  const state = fields?.[0];
  return state === 'Z' || state === 'X' ? undefined : fields?.[19];
}

/** The fields of `/proc/PID/stat` from the third on, after the last `)`: the name before it may hold anything. */
function fieldsOf(pid: number): string[] | undefined {
  const stat = readOrNothing(`/proc/${pid}/stat`);
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function startFromPs(pid: number): string | undefined {
  const text = fromPs(pid, 'stat=,lstart=');
  return text === undefined || text.startsWith('Z') ? undefined : text.split(/\s+/).slice(1).join(' ');
}

/** One line of `ps` about a process; undefined when there is none. */
function fromPs(pid: number, fields: string): string | undefined {
  try {
    const { execFileSync } = process.getBuiltinModule('node:child_process'); // needed on few systems, slow to load on all
    const text = execFileSync('ps', ['-o', fields, '-p', String(pid)], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined; // ps exits 1 when there is no such process
  }
}

function otherProcesses(): number[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').map(Number);
  return pids.filter((pid) => Number.isSafeInteger(pid) && pid !== process.pid);
}

function openFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((descriptor) => readlinkSync(`/proc/${pid}/fd/${descriptor}`));
  } catch {
    return []; // it ended while we looked, or is another user's
  }
}

/** Processes come and go while we look, and those of other users are closed to us: both count as not there. */
function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
