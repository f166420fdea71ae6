import { fdatasyncSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** What of a disk may fail while the log is written; all of it throws what the system says. */
export interface LogDisk {
  /** For appending; made when it is not there. */
  open(file: string): number;
  /** Answers how many of the bytes it took. */
  write(descriptor: number, data: Uint8Array): number;
  /** Returns when what was written is on the disk. */
  sync(descriptor: number): void;
  truncate(descriptor: number, bytes: number): void;
}

export const SYSTEM_DISK: LogDisk = {
  open: (file) => openSync(file, 'a', 0o644),
  write: (descriptor, data) => writeSync(descriptor, data),
  sync: (descriptor) => fdatasyncSync(descriptor),
  truncate: (descriptor, bytes) => ftruncateSync(descriptor, bytes),
};
