import { FOR_PROGRAMS, OWN_COMMANDS } from './command.js';
import { FOLDED } from './folded.js';
import type { CommandEntry, FoundEntry } from './invocation.js';
import { currentWords } from './older-commands.js';

type Among = (entries: readonly CommandEntry[], words: readonly string[]) => FoundEntry | undefined;

const TYPED = [...OWN_COMMANDS, ...FOLDED, ...FOR_PROGRAMS];

/**
 * Command that a line begins with which is none of the graph: one of today, one that was folded into another, one that
 * only programs type, or a name that was replaced. The longest name counts.
 */
export function otherEntry(words: readonly string[], among: Among): FoundEntry | undefined {
  const found = among(TYPED, words);
  const { words: current, replaced } = currentWords(words);
  if (replaced !== undefined && lengthOf(replaced.older) > lengthOf(found?.entry.command)) {
    const meant = among(OWN_COMMANDS, current);
    return meant && { ...meant, replaced };
  }
  const folded = FOLDED.find((one) => one === found?.entry);
  if (found === undefined || folded === undefined) return found;
  return { ...found, replaced: { older: folded.command, current: folded.instead, field: undefined } };
}

const lengthOf = (command = ''): number => command.split(' ').filter(Boolean).length;
