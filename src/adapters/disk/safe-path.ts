import { lstatSync } from 'node:fs';
import path from 'node:path';
import { diskCode, TroupeError } from '#kernel/errors.js';
import { inSentence } from '#kernel/text.js';

/**
 * Returns the absolute path of a project file after checking every component. A link anywhere, even a committed one,
 * could redirect a write out of the workspace. Errors: `unsafe_path` for a link, for an absolute or climbing path, and
 * for a target that is not a regular file; `unreadable` for a component that cannot be accessed.
 */
export async function safePath(project: string, relative: string): Promise<string> {
  const parts = relative.split('/');
  if (
    relative === '' ||
    path.isAbsolute(relative) ||
    /[\\\0]/.test(relative) ||
    parts.some((part) => part === '' || part === '.' || part === '..')
  ) {
    refuse(relative, 'leaves the workspace');
  }
  let current = project;
  for (const [index, part] of parts.entries()) {
    current = path.join(current, part);
    const stats = look(current, relative);
    if (!stats) break; // missing parts are created by Troupe
    if (stats.isSymbolicLink()) refuse(parts.slice(0, index + 1).join('/'), 'is a link');
    const last = index === parts.length - 1;
    if (last ? !stats.isFile() : !stats.isDirectory())
      refuse(parts.slice(0, index + 1).join('/'), last ? 'is not a regular file' : 'is not a folder');
  }
  return path.join(project, ...parts);
}

/** Synchronous: a check takes microseconds, an asynchronous one ten times as long, and a team needs hundreds. */
function look(file: string, relative: string) {
  try {
    return lstatSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new TroupeError('unreadable', { what: `${inSentence(relative)} cannot be accessed.`, cause: error });
  }
}

function refuse(relative: string, why: string): never {
  const printable = inSentence(relative);
  throw new TroupeError('unsafe_path', {
    what: `${printable} ${why}: nothing was changed.`,
    details: { path: printable },
  });
}

export function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}

/** Converts disk errors to coded errors; returns other errors unchanged. */
export function diskError(error: unknown, what?: string): unknown {
  const code = diskCode(error);
  if (code === undefined) return error;
  return new TroupeError(code, { ...(what === undefined ? {} : { what }), cause: error });
}
