import type { GraphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { LogRotation } from '#ports/graph-store.js';
import type { LogOwner } from './rotation.js';

/** After a failed closing, the next attempt starts once the log has grown by a tenth of its limit. */
const RETRY_GROWTH_DIVISOR = 10;

/** Caller that requested closing the log now. */
export interface ClosingRequest {
  readonly resolve: (rotated: LogRotation | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Store extends LogOwner {
  failed(error: unknown): void;
  logEnd(): number;
}

/** Closes the log when it has grown long or on request, while the store continues to work. */
export class LogCloser {
  private readonly paths: GraphLayout;
  private readonly store: Store;
  private readonly logBytes: number;
  /** Log size in bytes at which it is closed. */
  private dueAt: number;
  private closing: Promise<void> | undefined;
  private askers: ClosingRequest[] = [];

  constructor(paths: GraphLayout, store: Store, logBytes: number = WORK_LIMITS.logBytes) {
    this.paths = paths;
    this.store = store;
    this.logBytes = logBytes;
    this.dueAt = logBytes;
  }

  ask(asker: ClosingRequest): void {
    this.askers.push(asker);
  }

  get asked(): boolean {
    return this.askers.length > 0;
  }

  /** Rejects all requests because writing is impossible now. */
  refuse(error: unknown): void {
    for (const asker of this.takeAskers()) asker.reject(error);
  }

  /** Starts closing if the log is long enough or on request. Requires the write lock until `idle` resolves. */
  closeIfDue(): void {
    if (!this.asked && this.store.logEnd() < this.dueAt) return;
    const askers = this.takeAskers();
    this.dueAt = Number.POSITIVE_INFINITY; // until this closing is done
    this.closing = this.idle()
      .then(() => this.close())
      .then(
        (rotated) => {
          for (const asker of askers) asker.resolve(rotated);
        },
        (error) => {
          this.store.failed(error);
          for (const asker of askers) asker.reject(error);
        },
      )
      .finally(() => {
        this.dueAt = Math.max(this.logBytes, this.store.logEnd() + this.logBytes / RETRY_GROWTH_DIVISOR);
      });
  }

  /** Resolves once no closing is in progress. */
  async idle(): Promise<void> {
    await this.closing;
  }

  private takeAskers(): ClosingRequest[] {
    const askers = this.askers;
    this.askers = [];
    return askers;
  }

  private async close(): Promise<LogRotation | undefined> {
    const { closeLog } = await import('./rotation.js'); // loaded lazily: most commands never meet a long log
    return closeLog(this.paths, this.store);
  }
}
