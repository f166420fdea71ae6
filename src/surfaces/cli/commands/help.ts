import { TroupeError } from '#kernel/errors.js';
import { didYouMean, inert } from '#kernel/text.js';
import type { OptionSpec } from '#operations/operation-spec.js';
import { FOLDED } from '#surfaces/cli/folded.js';
import { printEntries, printHelp, printOverview, printTopics } from '#surfaces/cli/help.js';
import type { CommandEntry, Invocation } from '#surfaces/cli/invocation.js';
import { meantCommand } from '#surfaces/cli/meant-command.js';
import { currentWords } from '#surfaces/cli/older-commands.js';
import { firstWordOf, type Topic, topicsOf } from '#surfaces/cli/topics.js';

/** Prints the overview, a topic, a command, all commands, or those that match a word. */
export async function execute({ screen, input, json, ...invocation }: Invocation): Promise<number> {
  const { topic, all, keyword } = input;
  const words = Array.isArray(topic) ? topic.map(String) : undefined;
  if ([words, all, keyword].filter((given) => given !== undefined).length > 1)
    throw new TroupeError('usage', { what: 'Use only one of: a topic, --all, --keyword.' });
  const topics = topicsOf(await invocation.entries());
  const every = topics.flatMap(({ entries }) => entries);
  if (typeof keyword === 'string') {
    const entries = matching(keyword, every);
    if (json) screen.line(JSON.stringify(entries.map(plain)));
    else
      printEntries(screen, entries, (entry) =>
        (entry.options ?? []).filter((option) => hasAll(flagWords(option), keyword)),
      );
    return 0;
  }
  const chosen = words === undefined ? topics : named(words, topics, await invocation.programEntries());
  if (json)
    screen.line(JSON.stringify((isEntry(chosen) ? [chosen] : chosen.flatMap(({ entries }) => entries)).map(plain)));
  else if (isEntry(chosen)) printHelp(screen, chosen, every);
  else if (words !== undefined || all === true) printTopics(screen, chosen);
  else printOverview(screen, topics);
  return 0;
}

const isEntry = (chosen: CommandEntry | readonly Topic[]): chosen is CommandEntry => 'command' in chosen;

/** Resolves words to a command, a topic, or the commands that start with a word. */
function named(
  words: readonly string[],
  topics: readonly Topic[],
  programs: readonly CommandEntry[],
): CommandEntry | readonly Topic[] {
  const given = words.flatMap((word) => word.split(' '));
  const folded = FOLDED.find(({ command }) => command === given.join(' '))?.instead.split(' ');
  const { words: current, replaced } = currentWords(folded ?? given);
  const flags = current.findIndex((word) => word.startsWith('-'));
  const typed = (flags === -1 ? current : current.slice(0, flags)).join(' ').trim();
  const entries = topics.flatMap((topic) => topic.entries);
  // What stands for an older name may have arguments of its own: `agency list role`.
  const isOlder = folded !== undefined || replaced !== undefined;
  const entry =
    [...entries, ...programs].find(({ command }) => command === typed) ??
    entries.find((one) => typed.startsWith(`${one.command} `) && (isOlder || choosesForm(one, typed)));
  if (entry) return entry;
  const topic = topics.find(({ name }) => name === typed.toLowerCase());
  if (topic) return [topic];
  const families = topics.map((one) => ({
    ...one,
    entries: one.entries.filter((own) => firstWordOf(own) === typed),
  }));
  const family = families.filter((one) => one.entries.length > 0);
  if (family.length > 0) return family;
  const commands = entries.map(({ command }) => command);
  const near =
    didYouMean(
      typed,
      topics.map(({ name }) => name),
    ) ?? meantCommand(typed.split(' '), commands)?.replace(/^help /, '');
  throw new TroupeError('usage', {
    what:
      typed === ''
        ? 'A topic is required.'
        : `There is no topic or command ${JSON.stringify(inert(typed).slice(0, 60))}.`,
    hint:
      typed !== '' && near
        ? `Did you mean \`troupe help ${near}\`?`
        : 'Run `troupe help` to see the topics, or `troupe help --all`.',
  });
}

const choosesForm = ({ command, arguments: [first] = [] }: CommandEntry, typed: string): boolean =>
  first?.values?.includes(typed.slice(command.length + 1)) === true;

/**
 * Commands that match all words: first by name, then by summary, then by flags. Errors: `usage` without a word,
 * `not_found`.
 */
function matching(keyword: string, every: readonly CommandEntry[]): CommandEntry[] {
  if (keyword.trim() === '') throw new TroupeError('usage', { what: '--keyword requires a word.' });
  const rank = (entry: CommandEntry) => {
    if (hasAll(entry.command, keyword)) return 0;
    if (hasAll(`${entry.command} ${entry.summary}`, keyword)) return 1;
    return (entry.options ?? []).some((option) => hasAll(flagWords(option), keyword)) ? 2 : 3;
  };
  const entries = every.map((entry) => ({ entry, rank: rank(entry) }));
  const matches = [0, 1, 2].flatMap((wanted) => entries.filter((one) => one.rank === wanted).map(({ entry }) => entry));
  if (matches.length > 0) return matches;
  throw new TroupeError('not_found', {
    what: `No command matches ${JSON.stringify(inert(keyword).slice(0, 60))}.`,
    hint: 'Try another word, or run `troupe help --all`.',
  });
}

const flagWords = ({ flag, short, aliases = [], summary }: OptionSpec) =>
  [...(short ? [`-${short}`] : []), ...[flag, ...aliases].map((name) => `--${name}`), summary].join(' ');

/** Whether all these words occur in the text, ignoring case. */
function hasAll(text: string, words: string): boolean {
  const lower = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}

/** Entry as data, without its loader. */
const plain = ({ command, group, summary, arguments: parameters = [], options = [], examples }: CommandEntry) => ({
  command,
  group,
  summary,
  examples,
  arguments: parameters.map(({ field, summary: said, required = false, many = false }) => ({
    field,
    summary: said,
    required,
    many,
  })),
  options: options.map(({ flag, short, aliases, type, value, values, summary: said }) => ({
    flag,
    short,
    aliases,
    type,
    value,
    values,
    summary: said,
  })),
});
