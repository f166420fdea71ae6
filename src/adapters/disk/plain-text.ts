import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

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
      const found = await handle.stat();
      if (!found.isFile()) throw refuse('is no plain file');
      return found.size > most ? found.size : await handle.readFile('utf8');
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    const { code } = error as NodeJS.ErrnoException;
    if (own && (code === 'ELOOP' || code === 'EMLINK')) throw refuse('is a link');
    throw error;
  }
}

/** Is it that there is no such file? */
export function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
