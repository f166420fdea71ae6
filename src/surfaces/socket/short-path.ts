import { closeSync, constants, openSync } from 'node:fs';
import path from 'node:path';
import { WORK_LIMITS } from '#kernel/limits/work.js';

/** Path at which a socket can be reached until it is closed. */
export interface ShortPath {
  readonly path: string;
  close(): void;
}

/**
 * Returns a path of a socket that the system accepts: longer ones go through the descriptor of their folder, if the
 * system supports it. The path of a missing folder is returned unchanged, and connecting reports the error.
 */
export function shortPathOf(file: string): ShortPath {
  const asItIs = { path: file, close: () => undefined };
  if (Buffer.byteLength(file) <= WORK_LIMITS.socketPathBytes || process.platform !== 'linux') return asItIs;
  let folder: number;
  try {
    folder = openSync(path.dirname(file), constants.O_RDONLY | constants.O_DIRECTORY);
  } catch {
    return asItIs;
  }
  return { path: `/proc/self/fd/${folder}/${path.basename(file)}`, close: () => closeSync(folder) };
}
