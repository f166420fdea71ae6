import { cellsOf, padTo, wrap } from '#kernel/cells.js';
import type { OptionSpec } from '#operations/operation-spec.js';
import type { CommandEntry } from './invocation.js';
import type { Screen } from './screen.js';
import { EVERYDAY, type Topic } from './topics.js';

/** Flags of every command; `program.ts` accepts them anywhere on the line. */
export const GLOBAL_OPTIONS: readonly OptionSpec[] = [
  { flag: 'json', field: '', type: 'switch', summary: 'One JSON value on stdout' },
  {
    flag: 'dir',
    field: '',
    type: 'text',
    value: 'PATH',
    summary: 'The project (default: TROUPE_PROJECT, or the nearest above in the repository)',
  },
  { flag: 'quiet', field: '', type: 'switch', summary: 'Print only results' },
  { flag: 'no-color', field: '', type: 'switch', summary: 'No colour' },
  { flag: 'help', short: 'h', field: '', type: 'switch', summary: 'Show this help' },
];

/** Maximum line width of help in columns, also on wider terminals and in pipes. */
const PAGE_COLUMNS = 80;

/** Prints the help of a command: summary, synopsis, flags, examples, and the commands that start with its words. */
export function printHelp(screen: Screen, entry: CommandEntry, entries: readonly CommandEntry[]): void {
  const { colour } = screen;
  const name = `troupe ${entry.command}`;
  const [first = '', ...more] = wrap(`${name}: ${entry.summary}`, pageOf(screen));
  screen.line(`${colour.bold(name)}${first.slice(name.length)}`);
  for (const line of more) screen.line(line);
  screen.line();
  const typed = `${synopsis(entry)}${entry.options?.length ? ' [flags]' : ''}`;
  for (const line of wrap(typed, pageOf(screen) - 2)) screen.line(`  ${line}`);
  screen.line();
  printTerms(screen, [
    ...(entry.arguments ?? []).map((argument): Term => [argument.field.toUpperCase(), argument.summary]),
    ...[...(entry.options ?? []), ...GLOBAL_OPTIONS].map((option): Term => [flagText(option), option.summary]),
  ]);
  screen.line();
  for (const line of entry.examples.flatMap((example) => asTyped(example, pageOf(screen))))
    screen.line(`  ${colour.cyan(line)}`);
  const below = entries.filter(({ command }) => command.startsWith(`${entry.command} `));
  if (below.length === 0) return;
  screen.line();
  printTerms(screen, below.map(rowOf));
}

/** Formats an example for a shell: a long line is broken between words, with a backslash at the end of each part. */
function asTyped(example: string, columns: number): string[] {
  const words = example.match(/(?:"[^"]*"|[^\s"])+/g) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    if (line !== '' && cellsOf(`  ${line} ${word} \\`) > columns) {
      lines.push(`${line} \\`);
      line = `    ${word}`;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** Synopsis of a command: `troupe add TITLE`. */
export function synopsis(entry: CommandEntry): string {
  const words = (entry.arguments ?? []).map((argument) => {
    const name = argument.field.toUpperCase() + (argument.many ? '…' : '');
    return argument.required ? name : `[${name}]`;
  });
  return ['troupe', entry.command, ...words].join(' ');
}

/** Synopsis of a flag: `-f, --follow`, `--after ID`. */
export function flagText(option: OptionSpec): string {
  const short = option.short ? `-${option.short}, ` : '';
  return `${short}--${option.flag}${option.type === 'switch' ? '' : ` ${option.value ?? 'TEXT'}`}`;
}

/** Prints an overview that fits a screen: the everyday commands, and a pointer to the others. */
export function printOverview(screen: Screen, topics: readonly Topic[]): void {
  const { colour } = screen;
  const entries = topics.flatMap((topic) => topic.entries);
  const everyday = EVERYDAY.flatMap((command) => entries.find((entry) => entry.command === command) ?? []);
  screen.line(`${colour.bold('troupe')}: casts a team of agents and runs its work as a graph of tasks`);
  screen.line();
  screen.line(colour.bold('Everyday'));
  printTerms(screen, everyday.map(rowOf));
  screen.line();
  screen.line(colour.bold('Topics'));
  printTerms(
    screen,
    topics.map(({ name, summary }) => [name, summary]),
  );
  screen.line();
  printTerms(screen, [
    ['troupe help TOPIC|COMMAND', 'commands of a topic, flags of a command'],
    ['troupe help -k WORD|--all', 'matching commands, or all'],
  ]);
}

/** Prints the commands of these topics, grouped by topic. */
export function printTopics(screen: Screen, topics: readonly Topic[]): void {
  for (const { group, summary, entries } of topics) {
    screen.line(`${screen.colour.bold(group)}: ${summary}`);
    printTerms(screen, entries.map(rowOf));
    screen.line();
  }
  screen.line('`troupe help COMMAND` shows its flags and examples.');
}

/** Prints commands with their summaries, each followed by the flags that `flagsOf` selects. */
export function printEntries(
  screen: Screen,
  entries: readonly CommandEntry[],
  flagsOf: (entry: CommandEntry) => readonly OptionSpec[],
) {
  printTerms(
    screen,
    entries.flatMap((entry): Term[] => [
      rowOf(entry),
      ...flagsOf(entry).map((option): Term => [`  ${flagText(option)}`, option.summary]),
    ]),
  );
}

type Term = readonly [term: string, description: string];
const rowOf = (entry: CommandEntry): Term => [entry.command, entry.summary];

const pageOf = (screen: Screen): number => Math.min(screen.width, PAGE_COLUMNS);

/** Prints terms with their descriptions in a second column, wrapped at the page width. */
function printTerms(screen: Screen, terms: readonly Term[]): void {
  const width = Math.max(...terms.map(([term]) => cellsOf(term)));
  const room = Math.max(20, pageOf(screen) - width - 4);
  for (const [term, description] of terms) {
    const [first = '', ...more] = wrap(description, room);
    screen.line(`  ${padTo(term, width)}  ${screen.colour.dim(first)}`);
    for (const line of more) screen.line(`${' '.repeat(width + 4)}${screen.colour.dim(line)}`);
  }
}
