import { lstat, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import { isMissing } from './plain-text.js';

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
  throw new TroupeError('unsafe_path', { what: `${cut(inert(folder), 200)} is no folder: nothing was changed.` });
}
