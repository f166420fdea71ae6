import { constants } from 'node:fs';
import { lstat, mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { inSentence } from '#kernel/text.js';
import { isMissing } from './safe-path.js';

/** Error codes of an open that does not follow links and met one. EMLINK is FreeBSD's. */
export const LINK_REFUSED: ReadonlySet<string | undefined> = new Set(['ELOOP', 'EMLINK']);

/**
 * Returns the text of a regular file; its size if that exceeds `most` bytes, undefined if it does not exist. Other file
 * types are rejected because reading could block or never end. Links are rejected in Troupe's own folders
 * (`unsafe_path`) and followed for paths that a person named (`unreadable` if not a regular file).
 */
export async function boundedText(
  file: string,
  most: number,
  links: 'refused' | 'followed' = 'refused',
): Promise<string | number | undefined> {
  const own = links === 'refused';
  const refuse = (why: string) =>
    new TroupeError(own ? 'unsafe_path' : 'unreadable', { what: `${inSentence(file)} ${why}.` });
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

/** Creates a folder path below `top`, level by level. A link on the way could lead anywhere. Errors: `unsafe_path`. */
export async function plainFolder(top: string, ...parts: readonly string[]): Promise<string> {
  let current = top;
  for (const part of ['', ...parts]) {
    current = path.join(current, part);
    if (!(await isPlainFolder(current))) await mkdir(current, { recursive: true, mode: PRIVATE_FOLDER });
  }
  return current;
}

/** Whether the folder exists. Errors: `unsafe_path` if it is not a folder. */
export async function isPlainFolder(folder: string): Promise<boolean> {
  try {
    if ((await lstat(folder)).isDirectory()) return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
  throw new TroupeError('unsafe_path', { what: `${inSentence(folder)} is not a folder: nothing was changed.` });
}
