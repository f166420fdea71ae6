import { ALL_COMMANDS } from './command.js';
import { FOLDED } from './folded.js';
import type { CommandEntry, FoundEntry } from './invocation.js';
import { currentWords } from './older-commands.js';

type Among = (entries: readonly CommandEntry[], words: readonly string[]) => FoundEntry | undefined;

/** Command that a line with an older name stands for: one that was folded into another, or a name that was replaced. */
export function olderEntry(words: readonly string[], among: Among): FoundEntry | undefined {
  const folded = among(FOLDED, words);
  if (folded !== undefined) {
    const { command: older, instead: current } = folded.entry as (typeof FOLDED)[number];
    return { ...folded, replaced: { older, current, field: undefined } };
  }
  const { words: current, replaced } = currentWords(words);
  const found = replaced && among(ALL_COMMANDS, current);
  return found && { ...found, replaced };
}
