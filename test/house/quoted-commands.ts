import type { OptionSpec } from '#operations/operation-spec.js';
import { ALL_COMMANDS } from '#surfaces/cli/command.js';
import { findEntry } from '#surfaces/cli/entries.js';
import type { CommandEntry } from '#surfaces/cli/invocation.js';
import { parseFlags } from '#surfaces/cli/parse-flags.js';

/** Flags of every command, parsed before those of the command itself. */
const GLOBAL = /^--(json|quiet|no-color|dir=.*)$/;

/** Placeholder for the inserted part of a template. */
export const TEMPLATE = 'TEMPLATE';
/** Ellipses in texts. */
const REST = /^(…|\.\.\.|\[.*)$/;

/** Splits a line into words as a shell does, up to a comment, a pipe or another command. */
export function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\||&&|;|#.*)|([^\s"'|;]+)/g)];
  const end = words.findIndex((match) => match[3] !== undefined);
  return (end === -1 ? words : words.slice(0, end)).map((match) => match[1] ?? match[2] ?? match[4] ?? '');
}

/**
 * Parses the words after `troupe` with the program's own parser; returns its complaint, or undefined. Words in
 * capitals, `<x>` and inserted parts stand for values; a text may name a command without its arguments.
 */
export async function wrongCommand(words: readonly string[]): Promise<string | undefined> {
  const own = withoutGlobals(words);
  const plain = own.filter((word) => !word.startsWith('-') && !REST.test(word));
  // The words of a computed command are unknown here; the code that computes it has its own tests.
  const isComputed = plain[0] === TEMPLATE || (plain[1] === TEMPLATE && (await findEntry(plain)) === undefined);
  if (plain.length === 0 || isComputed || plain[0] === 'COMMAND') return undefined;
  const found = await findEntry(own);
  if (!found) {
    const isGroup = plain.length === 1 && ALL_COMMANDS.some((one) => one.command.startsWith(`${plain[0]} `));
    return isGroup ? undefined : `no command ${plain.slice(0, 2).join(' ')}`;
  }
  try {
    await parseFlags(found.entry, filled(found.entry, found.rest), '/');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Removes the flags that every command accepts. */
export function withoutGlobals(words: readonly string[]): string[] {
  const dir = words.indexOf('--dir');
  const isComplete = dir !== -1 && words[dir + 1] !== undefined;
  const without = isComplete ? [...words.slice(0, dir), ...words.slice(dir + 2)] : words;
  return without.filter((word) => !GLOBAL.test(word));
}

const isPlaceholder = (word: string) => /^(<.*>|[A-Z][A-Z_0-9-]*(…|\.\.\.)?|…|\$\w+)$/.test(word);

/** Completes an abbreviated command: values replace placeholders, and missing arguments are added. */
function filled(entry: CommandEntry, words: readonly string[]): string[] {
  const result: string[] = [];
  let [option, count]: [OptionSpec | undefined, number] = [undefined, 0];
  for (const word of words) {
    if (option) {
      result.push(isPlaceholder(word) ? sample(option) : word);
      option = undefined;
    } else if (!REST.test(word)) {
      result.push(isPlaceholder(word) ? (entry.arguments?.[count]?.values?.[0] ?? word) : word);
      option = valuedOption(entry, word);
      if (!word.startsWith('-')) count++;
    }
  }
  if (option) result.push(sample(option));
  const wanted = (entry.arguments ?? []).filter((argument) => argument.required).length;
  for (; count < wanted; count++) result.push(entry.arguments?.[count]?.values?.[0] ?? 'word');
  return result;
}

function valuedOption(entry: CommandEntry, word: string): OptionSpec | undefined {
  const found = entry.options?.find((option) =>
    [`-${option.short}`, ...[option.flag, ...(option.aliases ?? [])].map((flag) => `--${flag}`)].includes(word),
  );
  return found?.type === 'switch' ? undefined : found;
}

const sample = (option: OptionSpec) => option.values?.[0] ?? (option.type === 'number' ? '1' : 'word');
