import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

/** The text of a plain file, never through a link; a number when it is larger than `most`, undefined when there is none. */
export async function boundedText(file: string, most: number): Promise<string | number | undefined> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const found = await handle.stat();
      if (!found.isFile()) throw new TroupeError('unsafe_path', { what: `${shown(file)} is no plain file.` });
      return found.size > most ? found.size : await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK')
      throw new TroupeError('unsafe_path', { what: `${shown(file)} is a link.` });
    throw error;
  }
}

/** A file whole or not at all, also when the machine stops in between. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = path.join(path.dirname(file), `.${randomBytes(6).toString('hex')}.draft`);
  try {
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
    const folder = await open(path.dirname(file), constants.O_RDONLY);
    try {
      await folder.sync(); // else a new name may be lost with the power
    } finally {
      await folder.close();
    }
  } finally {
    await rm(draft, { force: true });
  }
}

/** Goes down from a folder and makes what is missing. A link on the way could lead anywhere: `unsafe_path`. */
export async function plainFolder(top: string, ...parts: readonly string[]): Promise<string> {
  let current = top;
  for (const part of ['', ...parts]) {
    current = path.join(current, part);
    if (!(await isPlainFolder(current))) await mkdir(current, { recursive: true, mode: 0o700 });
  }
  return current;
}

/** False when there is nothing; `unsafe_path` when there is something else than a folder. */
export async function isPlainFolder(folder: string): Promise<boolean> {
  try {
    if ((await lstat(folder)).isDirectory()) return true;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
  throw new TroupeError('unsafe_path', { what: `${shown(folder)} is no folder: nothing was changed.` });
}

function shown(file: string): string {
  return cut(inert(file), 200);
}
