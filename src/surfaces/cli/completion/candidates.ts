/**
 * Completion: candidates for a word, the scripts for the shells, and their protocol.
 * @packageDocumentation
 */
import type { ArgumentSpec, Names, OptionSpec } from '#operations/operation-spec.js';
import { GLOBAL_OPTIONS } from '#surfaces/cli/help.js';
import type { CommandEntry } from '#surfaces/cli/invocation.js';
import { currentWords } from '#surfaces/cli/older-commands.js';
import { firstWordOf, topicsOf } from '#surfaces/cli/topics.js';
import { optionOf } from '#surfaces/cli/understood.js';

/** A word that can complete the line, and its description. */
export interface CompletionCandidate {
  readonly value: string;
  readonly about: string;
}

/** Looks up the existing names of a kind. */
export type NameSource = (names: Exclude<Names, 'command'>) => Promise<readonly CompletionCandidate[]>;

/** Folded commands and those of programs: offered nowhere but completed once typed. */
async function hiddenAfter(words: readonly string[]): Promise<readonly CommandEntry[]> {
  if (words.length < 2) return [];
  return [
    ...(await import('#surfaces/cli/folded.js')).FOLDED,
    ...(await import('#surfaces/cli/command.js')).FOR_PROGRAMS,
  ];
}

/** Candidates for the last of these words, which follow `troupe`; `paths`: any path is valid. */
export async function candidates(
  words: readonly string[],
  entries: readonly CommandEntry[],
  names: NameSource,
): Promise<readonly CompletionCandidate[] | 'paths'> {
  const current = words.at(-1) ?? '';
  const typed = withoutGlobals(words.slice(0, -1));
  if (typed === 'paths') return 'paths';
  const before = currentWords(typed).words;
  const line = lineOf(before, entries) ?? lineOf(before, await hiddenAfter(before));
  const next = nextWords(before, entries);
  if (line === undefined) return beginning(current.startsWith('-') ? flagsOf([]) : next, current);
  const { entry, rest } = line;
  const { open, count, ended } = position(rest, entry);
  const valuesOf = (spec: OptionSpec | ArgumentSpec, text: string, lead: string) =>
    fitting(spec, text, lead, names, () => [...topicWords(rest, entries), ...nextWords(rest, entries)]);
  if (open) return valuesOf(open, current, '');
  if (!ended && current.startsWith('-')) {
    const equals = current.indexOf('=');
    const option = equals === -1 ? undefined : optionOf(entry, current.slice(0, equals));
    return option
      ? valuesOf(option, current.slice(equals + 1), current.slice(0, equals + 1))
      : beginning(flagsOf(entry.options ?? []), current);
  }
  const parameters = entry.arguments ?? [];
  const last = parameters.at(-1);
  const argument = parameters[count] ?? (last?.many ? last : undefined);
  const values = argument ? await valuesOf(argument, current, '') : [];
  return values === 'paths' ? values : [...beginning(rest.length === 0 ? next : [], current), ...values];
}

const beginning = (all: readonly CompletionCandidate[], text: string) =>
  all.filter(({ value }) => value.startsWith(text));

/** Words without the flags of every command; `paths` if the value of `--dir` comes next. */
function withoutGlobals(words: readonly string[]): readonly string[] | 'paths' {
  const rest: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? '';
    if (word === '--') return [...rest, ...words.slice(index)];
    if (word === '--dir' && ++index >= words.length) return 'paths';
    if (!/^--(json|quiet|no-color|dir(=.*)?)$/.test(word)) rest.push(word);
  }
  return rest;
}

/** The longest command at the start of these words, and the remaining words. */
function lineOf(words: readonly string[], entries: readonly CommandEntry[]) {
  for (const count of [3, 2, 1]) {
    const entry = entries.find(({ command }) => words.length >= count && command === words.slice(0, count).join(' '));
    if (entry) return { entry, rest: words.slice(count) };
  }
  return undefined;
}

/** Next words of the commands that start with these words. */
function nextWords(words: readonly string[], entries: readonly CommandEntry[]): CompletionCandidate[] {
  const lead = words.length === 0 ? '' : `${words.join(' ')} `;
  const next = new Map<string, string>();
  for (const { command, summary } of entries) {
    if (!command.startsWith(lead)) continue;
    const [word = '', more] = command.slice(lead.length).split(' ');
    if (more === undefined) next.set(word, summary);
    else if (!next.has(word)) next.set(word, `${word} …`);
  }
  return [...next].map(([value, about]) => ({ value, about }));
}

/** Help topics that are not also the first word of a command. */
function topicWords(rest: readonly string[], entries: readonly CommandEntry[]): CompletionCandidate[] {
  if (rest.length > 0) return [];
  const families = new Set(entries.map(firstWordOf));
  return topicsOf(entries).flatMap(({ name, summary }) => (families.has(name) ? [] : { value: name, about: summary }));
}

/** Position of the next word: value of the flag `open`, or else argument number `count`. `ended`: after `--`. */
function position(rest: readonly string[], entry: CommandEntry) {
  let [count, ended] = [0, false];
  let open: OptionSpec | undefined;
  for (const word of rest) {
    if (open) open = undefined;
    else if (ended || !word.startsWith('-')) count++;
    else if (word === '--') ended = true;
    else {
      const option = optionOf(entry, word);
      open = option?.type === 'switch' ? undefined : option;
    }
  }
  return { open, count, ended };
}

const flagsOf = (options: readonly OptionSpec[]): CompletionCandidate[] =>
  [...options, ...GLOBAL_OPTIONS].map(({ flag, summary }) => ({ value: `--${flag}`, about: summary }));

/**
 * Values that start with this text; in a list only the part after the last comma is completed. `lead` precedes the text
 * in the same word.
 */
async function fitting(
  spec: OptionSpec | ArgumentSpec,
  text: string,
  lead: string,
  names: NameSource,
  commands: () => readonly CompletionCandidate[],
): Promise<readonly CompletionCandidate[] | 'paths'> {
  if (spec.path !== undefined || spec.writes) return 'paths';
  const comma = 'type' in spec && spec.type === 'list' ? text.lastIndexOf(',') + 1 : 0;
  const known = async () => {
    if (spec.values) return spec.values.map((value) => ({ value, about: '' }));
    if (spec.names === undefined) return [];
    return spec.names === 'command' ? commands() : names(spec.names);
  };
  return beginning(await known(), text.slice(comma)).map(({ value, about }) => ({
    value: `${lead}${text.slice(0, comma)}${value}`,
    about,
  }));
}
