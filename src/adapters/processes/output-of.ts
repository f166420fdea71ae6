import { LIMITS } from '#kernel/limits.js';

/** Empty on systems without one. */
export const PROC = process.platform === 'linux' ? '/proc' : '';

/**
 * What a program of the system prints; undefined when it is not there, fails or prints nothing. Times in UTC, so that everybody reads
 * the same of one process.
 */
export function outputOf(program: string, words: readonly string[]): string | undefined {
  try {
    const { execFileSync } = process.getBuiltinModule('node:child_process'); // needed on few systems, slow to load on all
    const text = execFileSync(program, words, {
      encoding: 'utf8',
      maxBuffer: LIMITS.processListBytes,
      env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin:/usr/sbin', LC_ALL: 'C', TZ: 'UTC0' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}
