import { constants } from 'node:fs';
import { lstat, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import { isMissing } from './safe-path.js';

/** Codes of an open that follows no link and has met one: the second is that of FreeBSD. */
export const LINK_REFUSED: ReadonlySet<string | undefined> = new Set(['ELOOP', 'EMLINK']);

/**
 * The text of a plain file; its size when that is more than `most` bytes, undefined when there is none. What is no plain file
 * could block for ever, or never end. In our own places no link is followed (`unsafe_path`); what a person has named may be
 * one (`unreadable` when it is no file).
 */
export async function boundedText(
  file: string,
  most: number,
  links: 'refused' | 'followed' = 'refused',
): Promise<string | number | undefined> {
  const own = links === 'refused';
  const refuse = (why: string) =>
    new TroupeError(own ? 'unsafe_path' : 'unreadable', { what: `${cut(inert(file), 200)} ${why}.` });
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK | (own ? constants.O_NOFOLLOW : 0));
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) throw refuse('is not a regular file');
      return stats.size > most ? stats.size : await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    const { code } = error as NodeJS.ErrnoException;
    if (own && LINK_REFUSED.has(code)) throw refuse('is a link');
    throw error;
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
    if (isMissing(error)) return false;
    throw error;
  }
  throw new TroupeError('unsafe_path', { what: `${cut(inert(folder), 200)} is not a folder: nothing was changed.` });
}
