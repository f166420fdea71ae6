import type { FileHandle } from 'node:fs/promises';

/** The first bytes of an open file, at most `most`: as many as it has now, whatever it said of its size. */
export async function firstBytes(handle: FileHandle, most: number): Promise<Buffer> {
  const buffer = Buffer.alloc(most);
  let length = 0;
  for (let read = 1; read > 0; length += read) {
    read = (await handle.read(buffer, length, most - length)).bytesRead;
  }
  return buffer.subarray(0, length);
}
