import { homedir, userInfo } from 'node:os';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';

/**
 * Absolute home folder of the user. An empty or relative HOME is ignored: personal data must not go into the current
 * folder. Errors: `read_only`.
 */
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
