import { TroupeError } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import type { LogPosition } from './store-load.js';

/** What was done to the log that git had put there. */
export interface BroughtBack {
  /** Of the log now. */
  readonly identity: string;
  /** Its size in bytes. */
  readonly size: number;
  /** It holds changes that are not ours: a branch with a graph of its own. */
  readonly merged: boolean;
}

/** The log that a store reads and writes, whatever git does to the files. */
export interface StoreLog {
  /** Does another log lie in the place of ours, as of the last look? */
  readonly away: boolean;
  /** Does the same log lie in the place of ours as at the last look? */
  readonly isUnchanged: boolean;
  /** Where what was acknowledged can be read. The copy of the snapshot belongs to it. */
  readonly paths: GraphLayout;
  /** What the other log lacks, in words; empty while ours is there. */
  readonly problem: string;
  /** Takes the log that lies there for ours. */
  keep(): void;
  /** After a service that was killed: keeps what it had acknowledged, if the log there is an older state of that. */
  recover(): void;
  /** Looks whether the log there lacks the last change that was acknowledged. */
  look(position: LogPosition): void;
  /**
   * Writes the log that was acknowledged again, in one step, and what a branch has besides behind it, as git's union of both. What
   * came before our own first line is in a closed piece.
   */
  bringBack(position: LogPosition): BroughtBack;
  /** From now on git's files are followed. */
  release(): void;
}

/** Of whoever holds nothing: the log is what lies there. */
export function followedLog(paths: GraphLayout): StoreLog {
  const nothing = () => undefined;
  return {
    ...{ away: false, isUnchanged: false, paths, problem: '' },
    ...{ keep: nothing, recover: nothing, look: nothing, release: nothing },
    bringBack: () => {
      throw new TroupeError('internal', { what: 'A log that is followed is never away.' });
    },
  };
}
