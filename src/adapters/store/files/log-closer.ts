import type { GraphLayout } from '#kernel/graph-folder.js';
import { LIMITS } from '#kernel/limits.js';
import type { LogRotation } from '#ports/graph-store.js';
import type { LogOwner } from './rotation.js';

/** A log that could not be closed is tried again when it has grown by a tenth of what it may hold. */
const AGAIN = 10;

/** Somebody who asked that the log be closed now. */
export interface ClosingRequest {
  readonly resolve: (rotated: LogRotation | undefined) => void;
  readonly reject: (error: unknown) => void;
}

interface Store extends LogOwner {
  failed(error: unknown): void;
  logEnd(): number;
}

/** Closes the log when it has grown long, or when somebody asks, while the store goes on. */
export class LogCloser {
  private readonly paths: GraphLayout;
  private readonly store: Store;
  private readonly logBytes: number;
  /** How long the log may grow before it is closed. */
  private dueAt: number;
  private closing: Promise<void> | undefined;
  private askers: ClosingRequest[] = [];

  constructor(paths: GraphLayout, store: Store, logBytes: number = LIMITS.logBytes) {
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

  /** Turns away whoever asked: there is no way to write now. */
  refuse(error: unknown): void {
    for (const asker of this.takeAskers()) asker.reject(error);
  }

  /** Begins to close the log if it is long enough or somebody asked. Only under the write lock, which stays until `idle`. */
  attend(): void {
    if (!this.asked && this.store.logEnd() < this.dueAt) return;
    const askers = this.takeAskers();
    this.dueAt = Number.POSITIVE_INFINITY; // until this one is done
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
        this.dueAt = Math.max(this.logBytes, this.store.logEnd() + this.logBytes / AGAIN);
      });
  }

  /** Until nothing is being closed. */
  async idle(): Promise<void> {
    await this.closing;
  }

  private takeAskers(): ClosingRequest[] {
    const askers = this.askers;
    this.askers = [];
    return askers;
  }

  private async close(): Promise<LogRotation | undefined> {
    const { closeLog } = await import('./rotation.js'); // most commands never meet a long log
    return closeLog(this.paths, this.store);
  }
}
