import type { Clock } from '#kernel/clock.js';
import type { Processes } from '#ports/processes.js';
import type { StoreDisk } from './disk.js';

export interface FileStoreOptions {
  /** The `.workgraph` folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly processes: Processes;
  /** Keep the lock for life (the service); else it is taken for each commit. */
  readonly hold: boolean;
  /** With `hold`: takes the lock from whoever has it. Who that is was said before. */
  readonly seize?: boolean;
  /** Asked while waiting for the lock: true when waiting is in vain, and the answer is `locked` at once. */
  readonly stopWaiting?: () => boolean;
  /** The log is closed and packed away when it is this large. */
  readonly logBytes?: number;
  /** Called after a hand's edit that nobody asked about became part of the graph. Only with `hold`. */
  readonly onHandEdit?: () => void;
  /** Called once when the lock turns out to be lost; every change is refused from then on. Only with `hold`. */
  readonly onLost?: () => void;
  /** What log and snapshot are written by: the disk of the system, but for tests of one that fails. */
  readonly disk?: StoreDisk;
}
