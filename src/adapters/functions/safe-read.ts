import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

/**
 * The absolute path of `relative` below `top`. A link on the way, also a committed one, could lead out of the project: it is
 * `unsafe_path`, and so is a path that climbs. What does not exist yet is nobody's link.
 */
export async function pathBelow(top: string, relative: string): Promise<string> {
  const parts = relative.split(path.sep).filter((part) => part !== '' && part !== '.');
  if (parts.length === 0 || parts.includes('..') || path.isAbsolute(relative) || relative.includes('\0')) {
    throw unsafe(relative, 'leads out of the project');
  }
  let current = top;
  for (const part of parts) {
    current = path.join(current, part);
    const found = await look(current);
    if (!found) break;
    if (found.isSymbolicLink()) throw unsafe(relative, 'goes through a link');
  }
  return path.join(top, ...parts);
}

/** A plain file's text; undefined when there is none. Its size is looked at before it is read, and while. */
export async function readBounded(file: string, name: string, most: number): Promise<string | undefined> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!(await handle.stat()).isFile()) throw unsafe(name, 'is no plain file');
    const buffer = Buffer.alloc(most + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length > most) break;
    }
    if (length > most) {
      throw new TroupeError('too_large', { what: `${shown(name)} is larger than ${most} bytes.`, details: { most } });
    }
    return buffer.toString('utf8', 0, length);
  } catch (error) {
    if (error instanceof TroupeError) throw error;
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ELOOP' || code === 'EMLINK') throw unsafe(name, 'is a link');
    throw new TroupeError('unreadable', { what: `${shown(name)} cannot be read.`, cause: error });
  } finally {
    await handle?.close();
  }
}

export async function look(file: string) {
  try {
    return await lstat(file);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new TroupeError('unreadable', { what: `${shown(file)} cannot be looked at.`, cause: error });
  }
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

export function shown(name: string): string {
  return cut(inert(name), 200);
}

function unsafe(name: string, why: string): TroupeError {
  return new TroupeError('unsafe_path', { what: `${shown(name)} ${why}.`, details: { path: shown(name) } });
}
