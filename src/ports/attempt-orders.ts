import type { AttemptOrder } from './worker-desk.js';

/** How far a file of a run is told: bytes that were read of it, and bytes that became of them without secrets. */
export interface SentBytes {
  readonly read: number;
  readonly told: number;
}

export type SentParts = Readonly<Record<'output' | 'events' | 'prompt', SentBytes>>;

/** An attempt that this worker took, and how much of what its run printed is told already. */
export interface KeptOrder {
  readonly order: AttemptOrder;
  readonly sent: SentParts;
}

/**
 * What a worker took and has not handed in, on its disk: another life of the same worker finds it. Whatever is kept is there after a kill.
 * Errors: `disk_full`, `read_only`.
 */
export interface AttemptOrders {
  keep(kept: KeptOrder): Promise<void>;
  /** All of them, oldest first; what cannot be understood is left out. */
  all(): Promise<readonly KeptOrder[]>;
  forget(run: string): Promise<void>;
}
