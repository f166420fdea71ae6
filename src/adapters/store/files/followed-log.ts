import { TroupeError } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import type { LogPlace } from './log-file.js';
import type { LogPosition } from './store-load.js';

/** Result of replacing git's log with our own. */
export interface RestoredLog {
  /** Identity of the log file now. */
  readonly identity: string;
  /** Its size in bytes. */
  readonly size: number;
  /** Whether the log contains entries of another branch. */
  readonly merged: boolean;
}

/** Log that a store reads and writes, protected against file replacement by git. */
export interface StoreLog {
  /** Whether the log was replaced by another one, as of the last check. */
  readonly away: boolean;
  /** Whether the replacing log is the same as at the last check. */
  readonly isUnchanged: boolean;
  /** Paths from which acknowledged changes can be read, including the matching copy of the snapshot. */
  readonly paths: GraphLayout;
  /** Text on the changes that the other log lacks; empty while our log is in place. */
  readonly problem: string;
  /** Accepts the present log file as ours. */
  keep(): void;
  /** Recovers after a killed service: restores its acknowledged changes if the present log is an older state. */
  recover(): void;
  /** Checks whether the log that is `there` lacks the last acknowledged change. */
  look(position: LogPosition, there: LogPlace): void;
  /**
   * Atomically rewrites the acknowledged log and appends a branch's additional entries, like git's union merge. Entries
   * before our first line are in a closed segment.
   */
  restoreLog(position: LogPosition): RestoredLog;
  /** Stops protecting the log: files written by git are followed from now on. */
  release(): void;
}

/** Log of a store that holds no lock: always the file in place. */
export function followedLog(paths: GraphLayout): StoreLog {
  const nothing = () => undefined;
  return {
    away: false,
    isUnchanged: false,
    paths,
    problem: '',
    keep: nothing,
    recover: nothing,
    look: nothing,
    release: nothing,
    restoreLog: () => {
      throw new TroupeError('internal', { what: 'A log that is followed is never away.' });
    },
  };
}
