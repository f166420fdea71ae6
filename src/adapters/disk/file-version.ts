import { statSync } from 'node:fs';

const SECOND_NS = 1_000_000_000n;

/** A file that was changed less than this before it was looked at may have changed again within the same step of the clock of its file system. */
export const SETTLED_MS = 100;

/**
 * The state of a file or folder: `text` differs after every change of it, but for two within one step of the file system's clock, of
 * which the last was at `changedAt`; 0 for one that is not there.
 */
export interface Version {
  readonly text: string;
  readonly changedAt: number;
}

/** At once: a look takes some microseconds, to wait for one ten times as long. Links are followed. */
export function versionOf(file: string): Version {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs, ctimeMs } = statSync(file, { bigint: true });
    const step = ctimeNs % SECOND_NS === 0n ? 1_000 : 0; // a clock of whole seconds
    return { text: `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs}`, changedAt: Number(ctimeMs) + step };
  } catch (error) {
    return { text: `${(error as NodeJS.ErrnoException).code}`, changedAt: 0 };
  }
}

/** All of them as one: it changes with each. */
export function versionOfAll(files: readonly string[]): Version {
  const versions = files.map(versionOf);
  return {
    text: versions.map(({ text }) => text).join('\0'),
    changedAt: Math.max(...versions.map(({ changedAt }) => changedAt)),
  };
}
