import { runGit } from '#adapters/git/process.js';
import type { SquadPlace } from '#adapters/git/squad-index.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';

/**
 * Runs one hook as `git commit` does: with the index that is being committed, in the person's own surroundings. A hook
 * that is not there is no reason to stop; one that fails is.
 */
export async function runHook(
  base: NodeJS.ProcessEnv,
  place: SquadPlace,
  index: string,
  name: string,
  args: readonly string[],
): Promise<void> {
  const words = ['hook', 'run', '--ignore-missing', name, ...(args.length === 0 ? [] : ['--', ...args])];
  const answer = await runGit(base, place.top, words, {
    index,
    asPerson: true,
    timeoutMs: LIMITS.gitCopyTimeoutMs,
  });
  if (answer.ok) return;
  if (/not a git command/.test(answer.message)) {
    throw new TroupeError('sync_unavailable', {
      what: 'This git cannot run hooks for us.',
      hint: 'Use git 2.36 or newer.',
    });
  }
  throw new TroupeError('sync_unavailable', {
    what: `The hook ${name} of the repository refused the commit.`,
    why: answer.message,
    hint: 'Do what the hook asks, then try again.',
  });
}
