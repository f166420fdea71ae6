import type { Clock } from '#kernel/clock.js';
import type { Processes } from '#ports/processes.js';

export interface FileStoreOptions {
  /** The `.workgraph` folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly processes: Processes;
  /** Keep the lock for life (the service); else it is taken for each commit. */
  readonly hold: boolean;
  /** Asked while waiting for the lock: true when waiting is in vain, and the answer is `locked` at once. */
  readonly giveUp?: () => boolean;
  /** The log is closed and packed away when it is this large. */
  readonly logBytes?: number;
  /** Called after a hand's edit that nobody asked about became part of the graph. Only with `hold`. */
  readonly onHandEdit?: () => void;
}
