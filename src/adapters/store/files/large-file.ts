import { createHash } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { diskError } from './disk.js';

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
 * are in memory together.
 */
export async function draftLargeFile(file: string, pieces: Iterable<Buffer>, draft: string): Promise<LargeDraft> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const handle = await open(draft, 'w', 0o644);
    try {
      for (const piece of pieces) {
        hash.update(piece);
        bytes += piece.length;
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
