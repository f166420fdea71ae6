import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

export function isMissing(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The text of a plain file; undefined when it is larger. What is no plain file could block for ever, or never end. */
export async function textOfFile(file: string, maxBytes: number, flags = 0): Promise<string | undefined> {
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    const found = await handle.stat();
    if (!found.isFile()) throw unreadable(file, 'is no plain file');
    if (found.size > maxBytes) return undefined;
    return await handle.readFile('utf8');
  } finally {
    await handle.close();
  }
}

export function unreadable(file: string, why: string): TroupeError {
  return new TroupeError('unreadable', { what: `${cut(inert(file), 200)} ${why}.` });
}

/** A file whole or not at all, also when the machine stops in between. For this person's eyes. */
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
  } finally {
    await rm(draft, { force: true });
  }
}

/** Goes down from a folder and makes what is missing. A link on the way could lead anywhere: `unsafe_path`. */
export async function plainFolder(top: string, ...parts: readonly string[]): Promise<string> {
  let current = top;
  for (const part of parts) {
    current = path.join(current, part);
    if (await isPlainFolder(current)) continue;
    await mkdir(current, { mode: 0o700 });
  }
  return current;
}

/** False when there is nothing; `unsafe_path` when there is something else than a folder. */
export async function isPlainFolder(folder: string): Promise<boolean> {
  try {
    const found = await lstat(folder);
    if (found.isDirectory()) return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  throw new TroupeError('unsafe_path', { what: `${cut(inert(folder), 200)} is no folder: nothing was changed.` });
}
