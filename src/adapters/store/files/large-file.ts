import { createHash } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { diskError } from './disk.js';

const FIRST_BYTES = 1024 * 1024;

/** What was put beside a file to take its place. */
export interface LargeDraft {
  readonly bytes: number;
  /** SHA-256 as hex. */
  readonly sha256: string;
  /** One step: whoever reads sees the old text or the new. */
  replace(): void;
}

/**
 * Tens of megabytes, a piece at a time: nothing here waits for the disk on the thread that answers others, and no two pieces
 * are in memory together: each takes the place of the one before, as what a buffer held is given back late.
 */
export async function draftLargeFile(file: string, pieces: Iterable<string>, draft: string): Promise<LargeDraft> {
  const hash = createHash('sha256');
  let bytes = 0;
  let place = Buffer.allocUnsafeSlow(FIRST_BYTES);
  try {
    const handle = await open(draft, 'w', 0o644);
    try {
      for (const text of pieces) {
        const size = Buffer.byteLength(text);
        if (size > place.length) place = Buffer.allocUnsafeSlow(2 * size);
        const piece = place.subarray(0, place.write(text));
        hash.update(piece);
        bytes += size;
        await handle.writeFile(piece);
      }
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    rmSync(draft, { force: true });
    throw diskError(error, file);
  }
  return { bytes, sha256: hash.digest('hex'), replace: () => renameSync(draft, file) };
}

/** A second copy of what was just written. */
export async function copyLargeFile(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    throw diskError(error, to);
  }
}
