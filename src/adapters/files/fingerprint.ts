import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import path from 'node:path';

const NOT_THERE = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'EISDIR', 'ENXIO']);

/** SHA-256 of a regular file inside a folder, read in pieces; undefined for everything else, and for what is too large. */
export async function fileFingerprint(folder: string, inside: string, most: number): Promise<string | undefined> {
  try {
    const real = await realpath(path.resolve(folder, inside));
    const relative = path.relative(await realpath(folder), real);
    if (relative.startsWith('..') || path.isAbsolute(relative)) return undefined;
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await file.stat();
      if (!found.isFile() || found.size > most) return undefined;
      const hash = createHash('sha256');
      let read = 0;
      for await (const piece of file.createReadStream({ autoClose: false })) {
        read += (piece as Buffer).length;
        if (read > most) return undefined;
        hash.update(piece as Buffer);
      }
      return hash.digest('hex');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
