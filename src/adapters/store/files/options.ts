import type { Clock } from '#kernel/clock.js';
import type { Processes } from '#ports/processes.js';
import type { StoreDisk } from './disk.js';

export interface FileStoreOptions {
  /** The `.workgraph` folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly processes: Processes;
  /** Whether to keep the lock for life (the service) instead of taking it for each commit. */
  readonly hold: boolean;
  /** With `hold`: takes the lock from its holder, who was reported before. */
  readonly seize?: boolean;
  /** Polled while waiting for the lock; returning true fails at once with `locked`. */
  readonly stopWaiting?: () => boolean;
  /** Log size in bytes at which it is closed and compressed. */
  readonly logBytes?: number;
  /** Called after a hand edit was recorded without a request. Only with `hold`. */
  readonly onHandEdit?: () => void;
  /** Called once when the lock is lost; every later change is rejected. Only with `hold`. */
  readonly onLost?: () => void;
  /** Disk for log and snapshot; replaced in tests of disk failures. */
  readonly disk?: StoreDisk;
}
