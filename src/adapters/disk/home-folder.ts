import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';

/** Absolute. A HOME that is empty or relative counts as none: nothing personal goes into the folder a command is typed in. */
export function homeFolder(): string {
  const named = homedir();
  if (path.isAbsolute(named)) return named;
  try {
    return userInfo().homedir;
  } catch (cause) {
    throw new TroupeError('read_only', {
      what: 'You have no home folder, and the variable HOME names none.',
      hint: 'Set HOME to a folder of yours.',
      cause,
    });
  }
}
