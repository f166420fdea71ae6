import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { diskCode, TroupeError } from '#kernel/errors.js';
import { PRIVATE_FOLDER } from '#kernel/file-modes.js';

/**
 * Creates a folder only its owner may enter, with missing parents. Creates level by level because Node's recursive
 * `mkdir` never returns if a file system rejects it with ENOENT, as /proc does. Errors: `read_only` with a hint on what
 * to set.
 */
export function makePersonalFolder(folder: string): void {
  makeFolder(
    folder,
    'Set HOME (or XDG_CONFIG_HOME and XDG_RUNTIME_DIR) to a folder of yours; a socket of its own is placed by --socket.',
  );
}

/** The same for a folder that a person has named. Errors: `read_only` with this hint. */
export function makeFolder(folder: string, hint: string): void {
  try {
    const missing: string[] = [];
    for (let level = folder; statSync(level, { throwIfNoEntry: false }) === undefined; level = path.dirname(level))
      missing.unshift(level);
    for (const level of missing) makeLevel(level);
    if (!statSync(folder).isDirectory()) throw new Error('It is not a folder.');
  } catch (error) {
    const code = diskCode(error);
    if (code !== undefined && code !== 'read_only') throw error;
    const cause = error as Error;
    throw new TroupeError('read_only', {
      ...{ what: `The folder ${folder} cannot be made.`, why: cause.message, hint, cause },
    });
  }
}

function makeLevel(folder: string): void {
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
  } catch (error) {
    // Another process created it; whether it is a folder is checked at the end.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
