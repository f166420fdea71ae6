import type { ErrorCode } from '#kernel/error-codes.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';

/** Messages of git (from refs/files-backend.c, lockfile.c) with known remedies. */
const REMEDIES: readonly (readonly [message: RegExp, code: ErrorCode, hint: (named: string) => string])[] = [
  [
    /Unable to create '(.+?\.lock)': File exists/,
    'git_failed',
    (lock) => `If no git is running there, remove ${lock}.`,
  ],
  [/No space left on device|Disk quota exceeded/i, 'disk_full', () => 'Free some space, then run the command again.'],
  [
    /'refs\/heads\/([^']+)' exists; cannot create/,
    'branch_in_use',
    (branch) => `Rename that branch: \`git branch -m ${branch} OTHER-NAME\`.`,
  ],
  [
    /(?:unable to|cannot|could not) .*Permission denied|Read-only file system/i,
    'read_only',
    () => 'Check the permissions of the folder `.git`.',
  ],
  [
    /missing blob|unable to read [0-9a-f]{40}|bad object|object file .* is empty/i,
    'git_failed',
    () => 'Run `git fsck`: objects of the repository are missing or damaged.',
  ],
];

/** Error for a failed git command, with a remedy if the message has a known one. */
export function refusalOf(verb: string, message: string): TroupeError {
  const what = `git ${verb} failed.`;
  for (const [pattern, code, hint] of REMEDIES) {
    const match = pattern.exec(message);
    if (match) return new TroupeError(code, { what, why: message, hint: hint(cut(inert(match[1] ?? ''), 300)) });
  }
  return new TroupeError('git_failed', { what, why: message });
}
