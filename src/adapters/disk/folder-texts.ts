import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, inert } from '#kernel/text.js';
import { isMissing } from './plain-files.js';

/**
 * The texts of many small files of one folder, as `boundedText` answers them: read one right after another, which takes a
 * tenth of the time, with a moment for everything else after every few. What fails is an answer too, and keeps no other back.
 */
export async function* folderTexts(
  folder: string,
  names: readonly string[],
  most: number,
): AsyncGenerator<{ readonly name: string; readonly text: string | number | TroupeError }> {
  let buffer = Buffer.allocUnsafe(64 * 1024);
  for (const [index, name] of names.entries()) {
    if (index > 0 && index % LIMITS.filesAtOnce === 0) await new Promise(setImmediate);
    const answer = plainText(path.join(folder, name), most, (bytes) => {
      if (buffer.length < bytes) buffer = Buffer.allocUnsafe(bytes);
      return buffer;
    });
    if (answer !== undefined) yield { name, text: answer };
  }
}

function plainText(
  file: string,
  most: number,
  space: (bytes: number) => Buffer,
): string | number | TroupeError | undefined {
  let handle: number | undefined;
  try {
    handle = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const stats = fstatSync(handle);
    if (!stats.isFile()) return refusal(file, 'is no plain file');
    if (stats.size > most) return stats.size;
    const buffer = space(stats.size);
    let size = 0;
    for (let more = -1; size < stats.size && more !== 0; size += more)
      more = readSync(handle, buffer, size, stats.size - size, size);
    return buffer.toString('utf8', 0, size);
  } catch (error) {
    if (isMissing(error)) return undefined;
    const { code } = error as NodeJS.ErrnoException;
    return refusal(file, code === 'ELOOP' || code === 'EMLINK' ? 'is a link' : 'cannot be read');
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}

function refusal(file: string, why: string): TroupeError {
  return new TroupeError(why === 'cannot be read' ? 'unreadable' : 'unsafe_path', {
    what: `${cut(inert(file), 200)} ${why}.`,
  });
}
