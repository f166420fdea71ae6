import { inert } from '#kernel/text.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { runMode } from '#surfaces/cli/option-values.js';
import { callNamed } from './call-named.js';

/**
 * Lists the commands of a repository that are about to run, if this person never trusted it, and asks for consent at a
 * terminal. Without a terminal they are only listed and then run. `original`: the repository that `folder` is a clone
 * of, if any.
 */
export async function agreeToChecks(invocation: Invocation, folder: string, original = folder): Promise<boolean> {
  const { host, screen, input } = invocation;
  const look = (place: string) => callNamed(host, 'review.checks', { run: runMode(input['run']) }, place);
  const { checks, trusted } = await look(folder);
  if (checks.length === 0 || trusted) return true;
  // A bare repository has no working tree, so it cannot have been trusted.
  const trustedOriginal =
    original !== folder &&
    (await look(original).then(
      (answer) => answer.trusted,
      () => false,
    ));
  if (trustedOriginal) return true;
  screen.aside(`Checks of ${inert(original)} that will run as you, in a scratch worktree (\`--run none\` only reads):`);
  for (const check of checks) {
    const where = check.folder === '' ? '' : screen.colour.dim(`  in ${inert(check.folder)}`);
    screen.aside(`  ${inert(check.command)}${where}`);
  }
  if (input['yes'] === true) return true;
  const answer = await host.ask('This repository is not trusted on this machine. Run them? [y/N] ');
  if (answer === undefined || /^y(es)?$/i.test(answer.trim())) return true;
  screen.aside('Nothing was run.');
  return false;
}
