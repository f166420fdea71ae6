import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { copyFile, open } from 'node:fs/promises';
import { type FileMark, markOfStat, storeError } from './disk.js';

const FIRST_BYTES = 1024 * 1024;

/** What was put beside a file to take its place. */
export interface LargeDraft {
  /** How the file will look once this has taken its place. */
  readonly mark: FileMark;
  /** SHA-256 as hex. */
  readonly sha256: string;
}

/**
 * Tens of megabytes, a piece at a time: nothing here waits for the disk on the thread that answers others, and no two pieces
 * are in memory together: each takes the place of the one before, as what a buffer held is given back late.
 */
export async function draftLargeFile(file: string, pieces: Iterable<string>, draft: string): Promise<LargeDraft> {
  const hash = createHash('sha256');
  let mark: FileMark;
  let place = Buffer.allocUnsafeSlow(FIRST_BYTES);
  try {
    const handle = await open(draft, 'w', 0o644);
    try {
      for (const text of pieces) {
        const size = Buffer.byteLength(text);
        if (size > place.length) place = Buffer.allocUnsafeSlow(2 * size);
        const piece = place.subarray(0, place.write(text));
        hash.update(piece);
        await handle.writeFile(piece);
      }
      await handle.sync();
      mark = markOfStat(await handle.stat({ bigint: true }));
    } finally {
      await handle.close();
    }
  } catch (error) {
    rmSync(draft, { force: true });
    throw storeError(error, file);
  }
  return { mark, sha256: hash.digest('hex') };
}

/** A second copy of what was just written. */
export async function copyLargeFile(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to);
  } catch (error) {
    throw storeError(error, to);
  }
}
