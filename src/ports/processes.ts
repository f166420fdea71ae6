import type { Clock } from '#kernel/clock.js';

/** Unique identity of a process. A pid is not sufficient: a busy machine reuses it within minutes. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time as opaque text; two processes with the same pid never share it. */
  readonly start: string;
  readonly host: string;
  /** Boot id of the machine, different after every boot; empty if the system does not provide one. */
  readonly boot: string;
  /**
   * PID namespace in which the pid is valid, because containers number their processes independently; empty on a system
   * with only one.
   */
  readonly namespace: string;
}

/** Holder of a lock, as determined by this process. */
export interface LockHolder {
  /** Description such as `pid 12 on box`, or of a holder that the lock does not name. */
  readonly who: string;
  readonly pid?: number;
  readonly host?: string;
  /** `unknown`: on another machine or in another container. `unreadable`: the lock file cannot be parsed. */
  readonly state: 'alive' | 'dead' | 'unknown' | 'unreadable';
  /** Whether the lock may be taken over: its holder is dead, or did not renew it in time. */
  readonly gone: boolean;
}

/** A process as one of its descendants sees it. */
export interface ProcessAbove {
  readonly pid: number;
  /** Start time, as returned by `startOf`. */
  readonly start: string;
  /**
   * Whether it is the init process or a subreaper, which adopts orphans: that it is an ancestor has no significance.
   */
  readonly init: boolean;
  /** Environment as `NAME=value`; undefined if the system does not show it. */
  readonly environment?: readonly string[];
}

/** Ancestry of a process. */
export interface ProcessLineage {
  /** This process, its parent, and so on, as far as the system shows them. */
  readonly line: readonly ProcessAbove[];
  /** Leader of its session, if it still runs and is not in `line`. */
  readonly leader?: ProcessAbove;
  readonly group: number;
  readonly session: number;
  /**
   * Whether it was placed here from outside of the visible processes, for example from outside of a container, which no
   * process inside could do.
   */
  readonly fromOutside: boolean;
}

/** Lock with one holder at a time across processes. A holder that died is succeeded by exactly one process. */
export interface ProcessLock {
  readonly held: boolean;
  /**
   * Acquires the lock, polling at short random intervals; returns at once if this object holds it. Errors: `locked`,
   * with the folder and the holder, after ten seconds or as soon as `stopWaiting` returns true.
   */
  acquire(stopWaiting?: () => boolean): Promise<void>;
  /**
   * Acquires the lock, and takes it from a holder that keeps it for some time, even if that one is alive. Returns the
   * previous holder; undefined if the lock did not have to be taken.
   */
  seize(): Promise<LockHolder | undefined>;
  /**
   * Whether the lock file is still the one of this object. It is not if the folder was cleaned or another process
   * seized the lock.
   */
  isOwn(): boolean;
  /** Present holder; undefined if there is no lock. */
  holder(): LockHolder | undefined;
  /**
   * Whether another process waits for the lock. Work that the last of several writers can do as well may then be left
   * to it.
   */
  contended(): boolean;
  /** Releases the lock, if it is still this object's. Idempotent. */
  release(): void;
}

/**
 * Selects processes with one of `values` as the variable `name` in their environment, or in one of `sessions`; and also
 * their descendants and the members of sessions and process groups that they lead, regardless of their environment.
 */
export interface ProcessMark {
  readonly name: string;
  readonly values: ReadonlySet<string>;
  readonly sessions: ReadonlySet<number>;
}

export interface Processes {
  /** Lock represented by a file. Its folder is created when the lock is acquired. */
  lock(file: string, clock: Clock): ProcessLock;
  self(): ProcessIdentity;
  /** Start time of a running process; undefined if no process has this pid, or only a zombie. */
  startOf(pid: number): string | undefined;
  /** Whether a running process is stopped, by a signal or a debugger. */
  isStopped(pid: number): boolean;
  /** Command line of a running process, its arguments separated by spaces; undefined if no process has this pid. */
  commandOf(pid: number): string | undefined;
  /** `unknown` for other hosts and other PID namespaces, which cannot be examined from here. */
  state(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown';
  /** Sends a signal to a process group. False if there is none, or permission is denied. */
  signalGroup(groupId: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGCONT'): boolean;
  /** Pids of processes that a mark selects, without this one; empty if the system does not show them. */
  belongingTo(mark: ProcessMark): readonly number[];
  /**
   * Pids of processes with `words` in their command line and an open file below `folder`; empty if the system does not
   * show them.
   */
  holdingOpen(words: string, folder: string): readonly number[];
  signal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean;
}

/** A connection to a server of this process: the port and address of the caller, and the port of the called side. */
export interface TcpConnection {
  readonly from: number;
  readonly address: string;
  readonly to: number;
}

/**
 * Facts of the operating system about processes that send requests. Runs are marked by a lowered hard limit on file
 * locks, a limit that nothing uses: every process that a run starts inherits it, regardless of its environment, session
 * or parent, and only a privileged process can raise it.
 */
export interface Peers {
  /** Whether processes of this user lack the privilege to raise a hard limit. */
  readonly limitsHold: boolean;
  /** Undefined if the system does not show it: no such program, or a sandbox that hides processes. */
  lineageOf(pid: number): ProcessLineage | undefined;
  /** Hard limit of a process; undefined if the system has none, or if the process has ended. */
  limitOf(pid: number): number | undefined;
  /** Pids of processes with a lower hard limit than this. */
  below(limit: number): readonly number[];
  /** Arguments of a process; empty if the system does not show them. */
  wordsOf(pid: number): readonly string[];
  /** Whether a process has this name at present, which only the process itself can set. */
  shows(pid: number, name: string): boolean;
  /** Pids of all visible processes. */
  all(): readonly number[];
  /**
   * Returns the processes in `among` that hold the other end of a connection; undefined if it is closed, or if the
   * system does not show it.
   */
  holdersOf(connection: Omit<TcpConnection, 'address'>, among: readonly number[]): readonly number[] | undefined;
  /** Whether a caller's address is that of another machine. */
  isAfar(address: string): boolean;
  /** Whether the open files of a process cannot be read. */
  hidesFiles(pid: number): boolean;
}
