/**
 * Disk access that several adapters share: atomic file writes, bounded reads, folders that are not links, strict YAML
 * and TOML.
 * @packageDocumentation
 */
import { constants } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freshId } from '#kernel/hash.js';

/** A file whole or not at all, also when the machine stops in between. For this person's eyes. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await writeWholeIf(file, text, 0o600, async () => true);
}

/** The same with a mode, and only if `isWanted` says so when all that is left is to put it in its place. Answers whether it was. */
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
      await folder.sync(); // else a new name may be lost with the power
    } finally {
      await folder.close();
    }
    return true;
  } finally {
    await rm(draft, { force: true }); // a full disk must not also be left with half a file
  }
}
