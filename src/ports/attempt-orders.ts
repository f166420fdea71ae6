import type { AttemptOrder } from './worker-gateway.js';

/**
 * Progress of the transfer of a run's file to the leader: bytes read from the file, and bytes sent after secrets were
 * removed.
 */
export interface SentBytes {
  readonly read: number;
  readonly told: number;
}

export type SentParts = Readonly<Record<'output' | 'events' | 'prompt', SentBytes>>;

/** An attempt that this worker took, and how much of its output the leader already has. */
export interface KeptOrder {
  readonly order: AttemptOrder;
  readonly sent: SentParts;
}

/**
 * Attempts that a worker took and has not completed, on its disk, so that they survive a restart of the worker. A kept
 * order survives a kill of the process. Errors: `disk_full`, `read_only`.
 */
export interface AttemptOrders {
  keep(kept: KeptOrder): Promise<void>;
  /** All stored orders, oldest first. Files that cannot be parsed are left out. */
  all(): Promise<readonly KeptOrder[]>;
  forget(run: string): Promise<void>;
}
