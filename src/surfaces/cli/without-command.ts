import { TroupeError } from '#kernel/errors.js';
import { didYouMean, inert } from '#kernel/text.js';
import { FOLDED } from './folded.js';
import type { Invocation } from './invocation.js';
import { meantCommand, takesAway } from './meant-command.js';
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
  const plain = words.filter((word) => !word.startsWith('-')).slice(0, 3);
  const near =
    meantCommand(
      plain,
      entries.map((entry) => entry.command),
    ) ?? olderMeant(plain);
  throw new TroupeError('usage', {
    what: `There is no command ${JSON.stringify(typed)}.`,
    hint: near ? `Did you mean \`troupe ${near}\`?` : 'Run `troupe --help` to see the commands.',
  });
}

/** The command of today for the older name that is nearest to these words; of one that takes something away its help. */
function olderMeant(words: readonly string[]): string | undefined {
  const names = [...OLDER_NAMES, ...FOLDED.map(({ command }) => command)];
  const older = didYouMean(words.slice(0, 2).join(' '), names) ?? didYouMean(words[0] ?? '', names);
  if (older === undefined || takesAway(older)) return older && `help ${older}`;
  const folded = FOLDED.find(({ command }) => command === older);
  return folded?.instead ?? currentWords(older.split(' ')).words.join(' ');
}
