import { GRAPH_ROWS } from '#operations/graph-rows.js';
import type { CommandEntry, FoundEntry } from './invocation.js';
import { isShown, isUnderstood } from './understood.js';

/** Returns all commands, with all their forms, as they are shown. */
export async function allEntries(): Promise<readonly CommandEntry[]> {
  return (await import('./command.js')).ALL_COMMANDS;
}

/** Returns the commands that only programs type. */
export async function programEntries(): Promise<readonly CommandEntry[]> {
  return (await import('./command.js')).FOR_PROGRAMS;
}

/**
 * Returns the command at the start of a line and the remaining words; undefined if it starts with no command. Graph
 * commands are resolved without loading the others, because their first words are unique.
 */
export async function findEntry(words: readonly string[]): Promise<FoundEntry | undefined> {
  const found = among(GRAPH_ROWS.filter(isShown), words) ?? (await import('./other-entry.js')).otherEntry(words, among);
  if (found === undefined || isUnderstood(found)) return found;
  return { ...found, ...(await import('./forms.js')).chosenForm(found) };
}

function among(entries: readonly CommandEntry[], words: readonly string[]): FoundEntry | undefined {
  for (const count of [3, 2, 1]) {
    const typed = words.slice(0, count).join(' ');
    const entry =
      words.length >= count
        ? (entries.find(({ command }) => command === typed) ?? shortened(entries, typed, words[count]))
        : undefined;
    if (entry && !isMistyped(entries, entry, words[count])) return { entry, rest: words.slice(count) };
  }
  return undefined;
}

/**
 * Returns the command with this shorter form. Undefined if an argument follows, or `--help`, which then applies to all
 * commands that start with these words.
 */
function shortened(
  entries: readonly CommandEntry[],
  typed: string,
  next: string | undefined,
): CommandEntry | undefined {
  if (next !== undefined && (!next.startsWith('-') || next === '--help' || next === '-h')) return undefined;
  return entries.find((entry) => 'shorter' in entry && entry.shorter === typed);
}

/**
 * Whether a word follows a command that takes no arguments but is the start of longer commands: one of those was meant.
 */
function isMistyped(
  entries: readonly CommandEntry[],
  { command, arguments: parameters = [] }: CommandEntry,
  next: string | undefined,
) {
  if (next === undefined || next.startsWith('-') || parameters.length > 0) return false;
  return entries.some((other) => isShown(other) && other.command.startsWith(`${command} `));
}
