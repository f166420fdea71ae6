import type { Clock } from '#kernel/clock.js';

/** Which process, for certain: a pid alone is reused within minutes on a busy machine. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque text that two processes with the same pid never share. */
  readonly start: string;
  readonly host: string;
  /** Changes with every boot of the machine; empty where the system does not tell. */
  readonly boot: string;
  /** Within which its pid means something: containers number their processes anew. Empty where there is only one. */
  readonly namespace: string;
}

/** Whoever holds a lock, as seen from here. */
export interface LockHolder {
  /** Such as `pid 12 on box`, or that it names nobody. */
  readonly who: string;
  readonly pid?: number;
  readonly host?: string;
  /** `unknown`: on another machine, in another container, or a file that cannot be read. */
  readonly state: 'alive' | 'dead' | 'unknown' | 'unreadable';
  /** Nobody waits for it: it is dead, or did not renew its lock in time. */
  readonly gone: boolean;
}

/** A process as somebody below it sees it. */
export interface ProcessAbove {
  readonly pid: number;
  /** As `startOf` says it. */
  readonly start: string;
  /** What the system starts first, or what takes over processes whose parent has ended: that it stands above says nothing. */
  readonly init: boolean;
  /** Its `NAME=value`; undefined where the system does not show them. */
  readonly environment?: readonly string[];
}

/** Where a process comes from. */
export interface ProcessLineage {
  /** This process, its parent, and so on up; as many as the system shows. */
  readonly line: readonly ProcessAbove[];
  /** What leads its session, when that is there still and not in the line. */
  readonly leader?: ProcessAbove;
  readonly group: number;
  readonly session: number;
  /** Somebody put it there from outside of what it can see, such as a container's: no process in here can do so. */
  readonly fromOutside: boolean;
}

/** One holder at a time across processes; a holder that died is succeeded by exactly one taker. */
export interface ProcessLock {
  readonly held: boolean;
  /**
   * Waits in short random steps; at once when it is held already. `locked`, with the folder and the holder, after ten
   * seconds or as soon as `stopWaiting` says that waiting is in vain.
   */
  acquire(stopWaiting?: () => boolean): Promise<void>;
  /** Takes it from whoever still holds it after a moment, alive or not. Answers who that was. */
  seize(): Promise<LockHolder | undefined>;
  /** Is what lies on the disk still ours? A folder that was cleaned, or somebody who seized it, leaves us without. */
  isOwn(): boolean;
  /** Who holds it now. */
  holder(): LockHolder | undefined;
  /** Does somebody wait for it now? Then work that can as well be done by the last of many may be left to that one. */
  contended(): boolean;
  /** Safe twice. */
  release(): void;
}

/**
 * Whoever has `name` with one of `values` in its environment, or is in one of `sessions`. To it belong those it started, and
 * those in the session or group that it leads, whatever their environment says.
 */
export interface ProcessMark {
  readonly name: string;
  readonly values: ReadonlySet<string>;
  readonly sessions: ReadonlySet<number>;
}

export interface Processes {
  /** The lock told by a file. Its folder is made when the lock is taken. */
  lock(file: string, clock: Clock): ProcessLock;
  self(): ProcessIdentity;
  /** `start` of a running process; undefined when there is none with this pid (a zombie counts as none). */
  startOf(pid: number): string | undefined;
  /** Whether a running process was stopped and does not go on: by a signal, or by a debugger. */
  isStopped(pid: number): boolean;
  /** The words a running process was started with, separated by blanks; undefined when there is none with this pid. */
  commandOf(pid: number): string | undefined;
  /** `unknown` for other hosts and other namespaces: nobody can tell from here. */
  state(identity: ProcessIdentity): 'alive' | 'dead' | 'unknown';
  /** Sends a signal to a whole process group; false when there is none. */
  signalGroup(groupId: number, signal: 'SIGTERM' | 'SIGKILL' | 'SIGCONT'): boolean;
  /** Pids of processes that carry a mark, or belong to those that do, but for ourselves; empty where the system does not tell. */
  belongingTo(mark: ProcessMark): readonly number[];
  /** Pids of processes whose command line contains `words` and that hold a file below `folder` open; empty where the system does not tell. */
  holdingOpen(words: string, folder: string): readonly number[];
  signal(pid: number, signal: 'SIGTERM' | 'SIGKILL'): boolean;
}

/** A connection over the loopback device, as the side sees it that was called: the port of the caller, and its own. */
export interface LoopbackConnection {
  readonly from: number;
  readonly to: number;
}

/**
 * What the system tells of a process that asks us something. Runs are marked by a hard limit that nothing uses (file locks): it passes
 * to every process they start, whatever environment, session or parent that has, and only a privileged process raises it.
 */
export interface Peers {
  /** No process of ours may raise a hard limit. */
  readonly limitsHold: boolean;
  /** Undefined where the system does not tell: no such program, or a sandbox that lets nobody look. */
  lineageOf(pid: number): ProcessLineage | undefined;
  /** The hard limit of a process; undefined where the system has none, and for a process that has ended. */
  limitOf(pid: number): number | undefined;
  /** Processes with a hard limit lower than this. */
  below(limit: number): readonly number[];
  /** The words a process was started with; empty where the system does not tell. */
  wordsOf(pid: number): readonly string[];
  /** Whether a process has this name now, which only the process itself can give it. */
  shows(pid: number, name: string): boolean;
  /** All processes that are seen from here. */
  all(): readonly number[];
  /** Those of these processes that hold the other end of a connection; undefined once it is closed, and where the system does not tell. */
  holdersOf(connection: LoopbackConnection, among: readonly number[]): readonly number[] | undefined;
  /** Whether a process lets nobody see what it holds open. */
  hidesFiles(pid: number): boolean;
}
