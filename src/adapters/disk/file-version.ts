import { statSync } from 'node:fs';

const SECOND_NS = 1_000_000_000n;

/** A file changed more recently than this may change again within the same tick of its file system's clock. */
export const SETTLED_MS = 100;

/**
 * Version of a file or folder. `text` differs after every change, except between two changes within one tick of the
 * file system's clock, the last at `changedAt`; 0 if the file does not exist.
 */
export interface Version {
  readonly text: string;
  readonly changedAt: number;
}

/** Synchronous: the call takes microseconds, and waiting for an asynchronous one ten times as long. Follows links. */
export function versionOf(file: string): Version {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = statSync(file, { bigint: true });
    const step = ctimeNs % SECOND_NS === 0n ? 1_000 : 0; // clock with a resolution of one second
    return { text: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`, changedAt: Number(ctimeMs) + step };
  } catch (error) {
    return { text: `${(error as NodeJS.ErrnoException).code}`, changedAt: 0 };
  }
}

/** Combined version of several files; changes with each of them. */
export function versionOfAll(files: readonly string[]): Version {
  const versions = files.map(versionOf);
  return {
    text: versions.map(({ text }) => text).join('\0'),
    changedAt: Math.max(...versions.map(({ changedAt }) => changedAt)),
  };
}
