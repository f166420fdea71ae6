import type { FileHandle } from 'node:fs/promises';

/** Reads at most `most` bytes of an open file. `more`: whether more follow, regardless of the reported size. */
export async function firstBytes(handle: FileHandle, most: number): Promise<{ bytes: Buffer; more: boolean }> {
  const buffer = Buffer.alloc(most + 1);
  let length = 0;
  let read: number;
  do {
    read = (await handle.read(buffer, length, buffer.length - length)).bytesRead;
    length += read;
  } while (read > 0);
  return { bytes: buffer.subarray(0, Math.min(length, most)), more: length > most };
}
