import type { OptionSpec } from '#operations/operation-spec.js';
import { OPERATIONS } from '#operations/table.js';
import { COMMANDS } from '#surfaces/cli/command.js';
import { findEntry } from '#surfaces/cli/entries.js';
import type { CommandEntry } from '#surfaces/cli/invocation.js';
import { parseFlags } from '#surfaces/cli/parse-flags.js';

/** Flags of every command, taken before the command's own parser sees the line. */
const GLOBAL = /^--(json|quiet|no-color|dir=.*)$/;

/** Stands for what a template puts in. */
export const TEMPLATE = 'TEMPLATE';
/** "and so on", as texts write it. */
const REST = /^(…|\.\.\.|\[.*)$/;

/** The words of a line as a shell would part them; what follows a comment, a pipe or another command is not looked at. */
export function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|(\||&&|;|#.*)|([^\s"'|;]+)/g)];
  const end = words.findIndex((match) => match[3] !== undefined);
  return (end === -1 ? words : words.slice(0, end)).map((match) => match[1] ?? match[2] ?? match[4] ?? '');
}

/**
 * What the program's own parser finds wrong with the words after `troupe`; undefined when nothing. Words in capitals,
 * `<x>` and what a template puts in stand for values; a text may name a command without its arguments.
 */
export async function wrongCommand(words: readonly string[]): Promise<string | undefined> {
  const own = withoutGlobals(words);
  const plain = own.filter((word) => !word.startsWith('-') && !REST.test(word));
  // A command that is put together has no words here to look at: those who put it together test it.
  const isComputed = plain[0] === TEMPLATE || (plain[1] === TEMPLATE && (await findEntry(plain)) === undefined);
  if (plain.length === 0 || isComputed || plain[0] === 'COMMAND') return undefined;
  const found = await findEntry(own);
  if (!found) {
    const isGroup =
      plain.length === 1 && [...OPERATIONS, ...COMMANDS].some((one) => one.command.startsWith(`${plain[0]} `));
    return isGroup ? undefined : `no command ${plain.slice(0, 2).join(' ')}`;
  }
  try {
    await parseFlags(found.entry, filled(found.entry, found.rest), '/');
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The words without what every command takes. */
export function withoutGlobals(words: readonly string[]): string[] {
  const dir = words.indexOf('--dir');
  const isComplete = dir !== -1 && words[dir + 1] !== undefined;
  const without = isComplete ? [...words.slice(0, dir), ...words.slice(dir + 2)] : words;
  return without.filter((word) => !GLOBAL.test(word));
}

const isPlaceholder = (word: string) => /^(<.*>|[A-Z][A-Z_0-9-]*(…|\.\.\.)?|…|\$\w+)$/.test(word);

/** A text says `--max N` and leaves out what is plain: values in place of placeholders, and arguments where there is none. */
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
  const wanted = (entry.arguments ?? []).filter((argument) => argument.required).length;
  for (; count < wanted; count++) result.push('word');
  return result;
}

function valuedOption(entry: CommandEntry, word: string): OptionSpec | undefined {
  const found = entry.options?.find((option) =>
    [`-${option.short}`, ...[option.flag, ...(option.aliases ?? [])].map((flag) => `--${flag}`)].includes(word),
  );
  return found?.type === 'switch' ? undefined : found;
}

const sample = (option: OptionSpec) => option.values?.[0] ?? (option.type === 'number' ? '1' : 'word');
