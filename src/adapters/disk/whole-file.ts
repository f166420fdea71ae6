/**
 * Disk access that several adapters share: atomic file writes, bounded reads, folders that are not links, strict YAML
 * and TOML.
 * @packageDocumentation
 */

import { constants } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { PRIVATE_FILE } from '#kernel/file-modes.js';
import { freshId } from '#kernel/hash.js';

/** Writes a file atomically, even if the machine stops meanwhile. Only its owner can read it. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writeWholeIf(file, text, PRIVATE_FILE, async () => true);
}

/** Writes a file atomically with a mode if `isWanted` is true right before the rename. Returns whether it did. */
export async function writeWholeIf(
  file: string,
  text: string,
  mode: number,
  isWanted: () => Promise<boolean>,
): Promise<boolean> {
  const draft = path.join(path.dirname(file), `.${freshId()}.draft`);
  try {
    await writeFile(draft, text, { flag: 'wx', mode, flush: true });
    if (!(await isWanted())) return false;
    await rename(draft, file);
    const folder = await open(path.dirname(file), constants.O_RDONLY);
    try {
      await folder.sync(); // otherwise a power failure could lose the new name
    } finally {
      await folder.close();
    }
    return true;
  } finally {
    await rm(draft, { force: true }); // a full disk must not keep half a file as well
  }
}
