import { specNamed } from '#operations/named.js';
import { type ArgumentSpec, GROUPS, type OptionSpec } from '#operations/operation-spec.js';
import { OPERATIONS } from '#operations/table.js';
import { COMMANDS } from './command.js';
import type { Invocation } from './invocation.js';
import type { Screen } from './screen.js';

interface Described {
  readonly command: string;
  readonly summary: string;
  readonly arguments?: readonly ArgumentSpec[];
  readonly options?: readonly OptionSpec[];
  readonly examples: readonly string[];
}

const EVERYWHERE: readonly OptionSpec[] = [
  { flag: 'json', field: '', type: 'switch', summary: 'One JSON value on stdout' },
  { flag: 'dir', field: '', type: 'text', value: 'PATH', summary: 'The project (default: the nearest one above)' },
  { flag: 'quiet', field: '', type: 'switch', summary: 'Only results' },
  { flag: 'no-color', field: '', type: 'switch', summary: 'No colour' },
];

/** One line of purpose, how it is typed, its flags, two examples. */
export function printHelp(screen: Screen, entry: Described): void {
  const { colour } = screen;
  const words = (entry.arguments ?? []).map((argument) => {
    const name = argument.field.toUpperCase() + (argument.many ? '…' : '');
    return argument.required ? name : `[${name}]`;
  });
  screen.line(`${colour.bold(`troupe ${entry.command}`)}: ${entry.summary}`);
  screen.line();
  screen.line(`  troupe ${[entry.command, ...words].join(' ')}${entry.options?.length ? ' [flags]' : ''}`);
  const rows: [string, string][] = [
    ...(entry.arguments ?? []).map((argument): [string, string] => [argument.field.toUpperCase(), argument.summary]),
    ...[...(entry.options ?? []), ...EVERYWHERE].map((option): [string, string] => [flagText(option), option.summary]),
  ];
  const width = Math.max(...rows.map(([term]) => term.length));
  screen.line();
  for (const [term, description] of rows) screen.line(`  ${term.padEnd(width)}  ${colour.dim(description)}`);
  screen.line();
  for (const example of entry.examples) screen.line(`  ${colour.cyan(example)}`);
}

function flagText(option: OptionSpec): string {
  const short = option.short ? `-${option.short}, ` : '';
  return `${short}--${option.flag}${option.type === 'switch' ? '' : ` ${option.value ?? 'TEXT'}`}`;
}

/** All commands by what people do with them, or those that begin with one word. */
export function printOverview(screen: Screen, words: readonly string[] = []): void {
  const typed = words.join(' ');
  const entries = [...COMMANDS, ...OPERATIONS].filter(
    (entry) => typed === '' || entry.command === typed || entry.command.startsWith(`${typed} `),
  );
  const [only] = entries;
  if (entries.length === 1 && only) {
    printHelp(screen, only);
    return;
  }
  const width = Math.max(...entries.map((entry) => entry.command.length));
  screen.line(`${screen.colour.bold('troupe')}: casts a team of agents and runs its work as a graph of tasks`);
  for (const group of GROUPS) {
    const rows = entries.filter((entry) => entry.group === group);
    if (rows.length === 0) continue;
    screen.line();
    screen.line(screen.colour.bold(group));
    for (const row of rows) screen.line(`  ${row.command.padEnd(width)}  ${screen.colour.dim(row.summary)}`);
  }
  screen.line();
  screen.line('Run `troupe COMMAND --help` for its flags and examples.');
}

/** `troupe` alone: inside a project what needs you, what happens and what comes next; outside one, how to begin. */
export async function printBare({ host, screen, folder }: Invocation): Promise<number> {
  const { colour } = screen;
  if (host.findProject(folder) === undefined) {
    screen.line(`${colour.bold('troupe')} casts a team of agents and runs its work as a graph of tasks.`);
    screen.line();
    screen.line(`  ${colour.cyan('troupe trial')}   have a team review this repository on a scratch clone`);
    screen.line(`  ${colour.cyan('troupe init')}    start a project here`);
    screen.line(`  ${colour.cyan('troupe --help')}  all commands`);
    return 0;
  }
  const { renderStatusNow } = await import('./render/status.js');
  const around = { serviceAnswers: () => host.serviceAnswers(folder) };
  await renderStatusNow(await host.call(specNamed('status.now'), {}, folder), screen, around);
  return 0;
}
