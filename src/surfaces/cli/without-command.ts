import { TroupeError } from '#kernel/errors.js';
import { didYouMean, inert } from '#kernel/text.js';
import type { Invocation } from './invocation.js';
import { meantCommand } from './meant-command.js';
import { currentWords, OLDER_NAMES } from './older-commands.js';

/**
 * Handles a line that starts with no command: an empty line, the first word of several commands, or an unknown word.
 */
export async function withoutCommand(words: readonly string[], invocation: Invocation): Promise<number> {
  const [first] = words;
  if (first === undefined) {
    const { printBare } = await import('./bare.js');
    return printBare(invocation);
  }
  if (first.startsWith('-'))
    throw new TroupeError('usage', { what: `There is no flag ${inert(first).slice(0, 60)} here.` });
  const entries = await invocation.entries();
  const partial = entries.filter((entry) => entry.command.startsWith(`${first} `));
  if (partial.length > 0 && [undefined, '--help', '-h'].includes(words[1])) {
    const help = await import('#surfaces/cli/commands/help.js');
    return help.execute({ ...invocation, input: { topic: [first] } });
  }
  const typed = inert(partial.length > 0 ? `${first} ${words[1] ?? ''}` : first).slice(0, 60);
  const older = didYouMean(first, OLDER_NAMES);
  const near =
    meantCommand(
      words.filter((word) => !word.startsWith('-')).slice(0, 3),
      entries.map((entry) => entry.command),
    ) ?? (older === undefined ? undefined : currentWords([older]).words.join(' '));
  throw new TroupeError('usage', {
    what: `There is no command ${JSON.stringify(typed)}.`,
    hint: near ? `Did you mean \`troupe ${near}\`?` : 'Run `troupe --help` to see the commands.',
  });
}
