import { constants } from 'node:fs';
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises';
import { firstBytes } from '#adapters/disk/first-bytes.js';
import { LINK_REFUSED } from '#adapters/disk/plain-files.js';
import { TroupeError } from '#kernel/errors.js';
import { isInside } from '#kernel/paths.js';
import { inSentence } from '#kernel/text.js';

export interface TextFile {
  readonly text: string;
  /** Whether the file is longer than the requested number of bytes. */
  readonly more: boolean;
}

/**
 * Reads the first `most` bytes of a regular file as UTF-8; undefined if it does not exist. With `inside`, the file
 * after resolving all links must be in that folder. Errors: `unsafe_path`, `unreadable`.
 */
export async function readTextFile(file: string, most: number, inside?: string): Promise<TextFile | undefined> {
  let handle: FileHandle | undefined;
  try {
    const real = await realpath(file);
    if (inside !== undefined && !isInside(await realpath(inside), real)) throw unsafe(file, 'is outside the project');
    handle = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const opened = await handle.stat();
    if (!opened.isFile()) throw unsafe(file, 'is not a regular file');
    if (inside !== undefined) {
      // A folder may have been replaced by a link between resolving the path and opening it.
      const now = await lstat(await realpath(file));
      if (now.ino !== opened.ino || now.dev !== opened.dev) throw unsafe(file, 'changed while it was opened');
    }
    const { bytes, more } = await firstBytes(handle, most);
    return { text: decoded(bytes, more, file), more };
  } catch (error) {
    if (error instanceof TroupeError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (LINK_REFUSED.has(code)) throw unsafe(file, 'is a broken link');
    throw new TroupeError('unreadable', { what: `${printable(file)} cannot be read.`, cause: error });
  } finally {
    await handle?.close();
  }
}

/** Decodes UTF-8 strictly. A character that is cut off at the end is left out. Errors: `unreadable`. */
function decoded(bytes: Buffer, more: boolean, file: string): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: more });
  } catch (error) {
    throw notText(`${printable(file)} is not UTF-8 text.`, error);
  }
  if (text.includes('\0')) throw notText(`${printable(file)} is not text.`);
  return text;
}

function unsafe(file: string, why: string): TroupeError {
  return new TroupeError('unsafe_path', { what: `${printable(file)} ${why}.`, details: { path: printable(file) } });
}

function printable(file: string): string {
  return inSentence(file);
}

function notText(what: string, cause?: unknown): TroupeError {
  return new TroupeError('unreadable', { what, hint: 'Name a text file.', cause });
}
