/**
 * Identity and ancestry of processes, from `/proc` or `ps`; child processes that are waited for, each in a group of its
 * own; a lock that is a file; the private files of the service; pictures by Graphviz.
 * @packageDocumentation
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Clock } from '#kernel/clock.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { Processes, ProcessIdentity, ProcessLock, ProcessMark } from '#ports/processes.js';
import { FileLock } from './file-lock.js';

/** Facts about processes from `/proc`, or from `ps` where there is no `/proc`. */
export class ProcessTable implements Processes {
  /** Empty on systems without `/proc`. */
  private readonly proc: string;
  private own: ProcessIdentity | undefined;

  constructor(proc = PROC) {
    this.proc = proc;
  }

  lock(file: string, clock: Clock): ProcessLock {
    return new FileLock(file, this, clock);
  }

  self(): ProcessIdentity {
    this.own ??= {
      pid: process.pid,
      start: this.startOf(process.pid) ?? 'unknown',
      host: hostname(),
      boot: this.boot(),
      namespace: this.namespace(),
    };
    return this.own;
  }

  startOf(pid: number): string | undefined {
    if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
    return this.proc === '' ? startFromPs(pid) : this.startFromProc(pid);
  }

  isStopped(pid: number): boolean {
    const state = this.proc === '' ? fromPs(pid, 'stat=') : this.fieldsOf(pid)?.[0];
    return state?.[0]?.toUpperCase() === 'T';
  }

  commandOf(pid: number): string | undefined {
    if (this.startOf(pid) === undefined) return undefined;
    if (this.proc === '') return fromPs(pid, 'command=');
    return readOrNothing(`${this.proc}/${pid}/cmdline`)?.replaceAll('\0', ' ');
  }

  state(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown' {
    const self = this.self();
    const sameHost = identity.host === self.host;
    if (identity.boot === self.boot && (self.boot !== '' || sameHost)) {
      // The same boot of the same machine, even if its name has changed: the pid decides, if the namespace is the same.
      if (identity.namespace !== self.namespace) return 'unknown';
      return this.startOf(identity.pid) === identity.start ? 'alive' : 'dead';
    }
    // A container may have the host name of another machine; the initial namespace has the same id after each boot.
    return sameHost && identity.namespace === self.namespace ? 'dead' : 'unknown';
  }

  signalGroup(groupId: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGCONT'): boolean {
    return groupId > 1 && send(-groupId, signal);
  }

  signal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean {
    return pid > 1 && send(pid, signal);
  }

  belongingTo({ name, values, sessions }: ProcessMark): readonly number[] {
    const pairs = new Set([...values].map((value) => `${name}=${value}`));
    const pids = new Set(
      this.proc === '' ? markedInPs(pairs) : this.others().filter((pid) => this.isMarked(pid, pairs)),
    );
    if (pids.size === 0 && sessions.size === 0) return [];
    const rows = this.proc === '' ? rowsFromPs() : this.others().flatMap((pid) => this.rowOf(pid) ?? []);
    for (let before = -1; pids.size > before; ) {
      before = pids.size;
      for (const { pid, parent, group, session } of rows)
        if (sessions.has(session) || [parent, group, session].some((leader) => pids.has(leader))) pids.add(pid);
    }
    return [...pids];
  }

  holdingOpen(words: string, folder: string): readonly number[] {
    return this.others().filter(
      (pid) =>
        readOrNothing(`${this.proc}/${pid}/cmdline`)?.replaceAll('\0', ' ').includes(words) &&
        this.openFiles(pid).some((file) => file.startsWith(`${folder}/`)),
    );
  }

  private boot(): string {
    const bootId =
      this.proc === ''
        ? outputOf('sysctl', ['-n', 'kern.bootsessionuuid'])
        : readOrNothing(`${this.proc}/sys/kernel/random/boot_id`);
    return bootId?.trim() ?? '';
  }

  private namespace(): string {
    try {
      return readlinkSync(`${this.proc}/self/ns/pid`);
    } catch {
      return ''; // a system without namespaces: all processes share one numbering
    }
  }

  /** Start time, field 22 of `/proc/PID/stat`. */
  private startFromProc(pid: number): string | undefined {
    const fields = this.fieldsOf(pid);
    const state = fields?.[0];
    return state === 'Z' || state === 'X' ? undefined : fields?.[19];
  }

  /**
   * Fields of `/proc/PID/stat` from the third on, after the last `)`: the name before it may contain any characters.
   */
  private fieldsOf(pid: number): string[] | undefined {
    const stat = readOrNothing(`${this.proc}/${pid}/stat`);
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  }

  private isMarked(pid: number, pairs: ReadonlySet<string>): boolean {
    const environment = readOrNothing(`${this.proc}/${pid}/environ`);
    return environment?.split('\0').some((pair) => pairs.has(pair)) === true;
  }

  private rowOf(pid: number): ProcessRow | undefined {
    const [state, parent, group, session] = this.fieldsOf(pid) ?? [];
    if (state === undefined || state === 'Z' || state === 'X') return undefined;
    return { pid, parent: Number(parent), group: Number(group), session: Number(session) };
  }

  private others(): number[] {
    if (this.proc === '') return [];
    const pids = readdirSync(this.proc).map(Number);
    return pids.filter((pid) => Number.isSafeInteger(pid) && pid !== process.pid);
  }

  private openFiles(pid: number): string[] {
    try {
      const folder = `${this.proc}/${pid}/fd`;
      return readdirSync(folder).map((descriptor) => readlinkSync(`${folder}/${descriptor}`));
    } catch {
      return []; // it ended meanwhile, or belongs to another user
    }
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

interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
}

/**
 * All processes but this one, from `ps`. Its session column is not numeric on every system. A session leader also leads
 * a group with the same number, so the group stands for the session.
 */
function rowsFromPs(): ProcessRow[] {
  const lines = outputOf('ps', ['-axo', 'pid=,ppid=,pgid=,stat='])?.split('\n') ?? [];
  return lines.flatMap((line) => {
    const [pid, parent, group, state = 'Z'] = line.trim().split(/\s+/);
    const isGone = state.startsWith('Z') || Number(pid) === process.pid;
    return isGone ? [] : [{ pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(group) }];
  });
}

/** Processes with one of these pairs in their environment: the `ps` of macOS prints it after the command. */
function markedInPs(pairs: ReadonlySet<string>): number[] {
  const lines = outputOf('ps', ['-axEwwo', 'pid=,command='])?.split('\n') ?? [];
  return lines.flatMap((line) => {
    const words = ` ${line} `;
    const pid = Number.parseInt(line, 10);
    return pid !== process.pid && [...pairs].some((pair) => words.includes(` ${pair} `)) ? [pid] : [];
  });
}

function startFromPs(pid: number): string | undefined {
  const text = fromPs(pid, 'stat=,lstart=');
  return text === undefined || text.startsWith('Z') ? undefined : text.split(/\s+/).slice(1).join(' ');
}

/** One line of `ps` about a process; undefined if there is none. */
function fromPs(pid: number, fields: string): string | undefined {
  return outputOf('ps', ['-o', fields, '-p', String(pid)]); // exits with 1 if there is no such process
}

/** Text of a file below `/proc`; undefined if its process has ended or belongs to another user. */
function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

/** Path of `/proc`; empty on systems without it. */
export const PROC = process.platform === 'linux' ? '/proc' : '';

/**
 * Output of a system program; undefined if it is missing, fails or prints nothing. Times are in UTC, so that all
 * readers get the same text for one process.
 */
export function outputOf(program: string, words: readonly string[]): string | undefined {
  try {
    const { execFileSync } = process.getBuiltinModule('node:child_process'); // needed on few systems, and slow to load
    const text = execFileSync(program, words, {
      encoding: 'utf8',
      maxBuffer: WORK_LIMITS.processListBytes,
      env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin:/usr/sbin', LC_ALL: 'C', TZ: 'UTC0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}
