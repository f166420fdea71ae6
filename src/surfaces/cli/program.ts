import path from 'node:path';
import type { Command } from 'commander';
import { knownError, TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { didYouMean, inert } from '#kernel/text.js';
import type { Face } from '#operations/face.js';
import { GRAPH_FACES } from '#operations/graph/faces.js';
import type { CliCommand } from './cli-command.js';
import type { Host } from './host.js';
import type { Invocation } from './invocation.js';
import { RENDERERS } from './renderers.js';
import type { Around } from './screen.js';
import { makeScreen } from './terminal.js';

type Entry = Face | CliCommand;

interface Found {
  readonly entry: Entry;
  readonly rest: readonly string[];
}

interface Globals {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly noColour: boolean;
  readonly dir: string | undefined;
}

/** Parses one command line, calls one operation, prints what came of it. Answers the exit code; never throws. */
export async function runCommandLine(argv: readonly string[], host: Host): Promise<number> {
  const { globals, rest } = takeGlobals(argv);
  const screen = makeScreen({
    out: host.out,
    err: host.err,
    environment: host.environment,
    noColour: globals.noColour,
    quiet: globals.quiet,
  });
  try {
    if (globals.dir === '') throw new TroupeError('usage', { what: '--dir takes a folder.' });
    const folder = path.resolve(host.folder, globals.dir ?? '.');
    const found = among(GRAPH_FACES, rest) ?? among(await allEntries(), rest);
    if (!found)
      return await withoutCommand(rest, { host, screen, input: {}, json: globals.json, quiet: globals.quiet, folder });
    const parsed = await parseFlags(found.entry, found.rest, host.folder);
    if (parsed === 'help') {
      const { printHelp } = await import('./help.js');
      printHelp(screen, found.entry);
      return 0;
    }
    return await execute(found.entry, {
      host,
      screen,
      input: parsed,
      json: globals.json,
      quiet: globals.quiet,
      folder,
    });
  } catch (error) {
    return printError(error, globals.json, host, screen.colour);
  }
}

async function execute(entry: Entry, invocation: Invocation): Promise<number> {
  if (!('kind' in entry)) return (await entry.load()).execute(invocation);
  const output = await askedAgain(entry, invocation);
  if (output === DECLINED) return 1;
  if (invocation.json) invocation.screen.line(JSON.stringify(output));
  else {
    const renderer = await RENDERERS[entry.name]?.();
    if (renderer) await renderer.render(output as never, invocation.screen, aroundOf(invocation));
    else invocation.screen.line(inert(JSON.stringify(output, null, 2), true));
  }
  return exitCodeOf(output);
}

/** Stands for an answer of a person who said no. */
const DECLINED = Symbol('declined');

/** Calls an operation. Where it wants a yes first and a person is there to give it, that is asked for. */
async function askedAgain(entry: Face, { host, screen, input, folder, json }: Invocation): Promise<unknown> {
  try {
    return await host.call(entry, input, folder);
  } catch (error) {
    if (!(error instanceof TroupeError) || error.code !== 'confirmation_needed' || json) throw error;
    const said = await host.ask(`${inert(error.message)} Go on? [y/N] `);
    if (said === undefined) throw error;
    if (/^y(es)?$/i.test(said.trim())) return host.call(entry, { ...input, yes: true }, folder);
    screen.aside('Nothing was changed.');
    return DECLINED;
  }
}

/** What renderers may ask about the project of this line. */
function aroundOf({ host, folder }: Invocation): Around {
  return {
    serviceAnswers: () => host.serviceAnswers(folder),
    stage: () => {
      const able = host.out.isTTY && host.input.isTTY && host.environment['TERM'] !== 'dumb';
      return able ? { input: host.input, out: host.out } : undefined;
    },
  };
}

/** Checks answer with `ok: false`, or `valid: false`, when they ran well and found something wrong. */
function exitCodeOf(output: unknown): number {
  const { ok, valid } = isJsonObject(output) ? output : {};
  return ok === false || valid === false ? 1 : 0;
}

async function withoutCommand(words: readonly string[], invocation: Invocation): Promise<number> {
  const { screen, host } = invocation;
  const [first] = words;
  if (first === '--version' || first === '-V' || first === 'version') {
    screen.line(host.version());
    return 0;
  }
  const { printBare, printOverview } = await import('./help.js');
  if (first === undefined) return printBare(invocation);
  if (first === '--help' || first === '-h' || first === 'help') {
    printOverview(
      screen,
      words.slice(1).filter((word) => !word.startsWith('-')),
    );
    return 0;
  }
  if (first.startsWith('-'))
    throw new TroupeError('usage', { what: `There is no flag ${inert(first).slice(0, 60)} here.` });
  const entries = await allEntries();
  const partial = entries.filter((entry) => entry.command.startsWith(`${first} `));
  if (partial.length > 0 && [undefined, '--help', '-h'].includes(words[1])) {
    printOverview(screen, [first]);
    return 0;
  }
  const typed = inert(partial.length > 0 ? `${first} ${words[1] ?? ''}` : first).slice(0, 60);
  const near = didYouMean(
    typed,
    (partial.length > 0 ? partial : entries).map((entry) => entry.command),
  );
  throw new TroupeError('usage', {
    what: `There is no command ${JSON.stringify(typed)}.`,
    hint: near ? `Did you mean \`troupe ${near}\`?` : 'Run `troupe --help` to see the commands.',
  });
}

/** What agents call all day is found without this: the verbs of the graph share no first word with any other. */
async function allEntries(): Promise<readonly Entry[]> {
  const [{ OPERATIONS }, { COMMANDS }] = await Promise.all([import('#operations/table.js'), import('./command.js')]);
  return [...OPERATIONS, ...COMMANDS];
}

/** Groups of commands that are known by an older word too. */
const OTHER_WORDS: ReadonlyMap<string, string> = new Map([['motivation', 'tradeoff']]);

function among(entries: readonly Entry[], words: readonly string[]): Found | undefined {
  for (const count of [2, 1]) {
    const [first = '', ...others] = words.slice(0, count);
    const typed = [OTHER_WORDS.get(first) ?? first, ...others].join(' ');
    const entry = words.length >= count ? entries.find((candidate) => candidate.command === typed) : undefined;
    if (entry && !isMistyped(entries, entry, words[count])) return { entry, rest: words.slice(count) };
  }
  return undefined;
}

/** A word after a command that takes none, but begins others: one of those was meant. */
function isMistyped(entries: readonly Entry[], { command, arguments: wanted = [] }: Entry, next: string | undefined) {
  if (next === undefined || next.startsWith('-') || wanted.length > 0) return false;
  return entries.some((other) => other.command.startsWith(`${command} `));
}

/** Flags every command takes, wherever they stand before `--`. */
function takeGlobals(argv: readonly string[]): { globals: Globals; rest: string[] } {
  const rest: string[] = [];
  let dir: string | undefined;
  let [json, quiet, noColour] = [false, false, false];
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (word === '--') {
      rest.push(...argv.slice(index));
      break;
    }
    if (word === '--json') json = true;
    else if (word === '--quiet') quiet = true;
    else if (word === '--no-color') noColour = true;
    else if (word === '--dir') dir = argv[++index] ?? '';
    else if (word.startsWith('--dir=')) dir = word.slice('--dir='.length);
    else rest.push(word);
  }
  return { globals: { json, quiet, noColour, dir }, rest };
}

/** Turns the words after a command into its input fields. The parser is only loaded when there is something to parse. */
async function parseFlags(
  entry: Entry,
  words: readonly string[],
  here: string,
): Promise<Record<string, unknown> | 'help'> {
  const plain = onlyArguments(entry, words);
  if (plain) return plain;
  const { Command, CommanderError } = await import('commander');
  const command: Command = new Command(entry.command)
    .exitOverride()
    .helpOption(false)
    .configureOutput({ writeErr: () => undefined })
    .option('-h, --help');
  for (const argument of entry.arguments ?? []) {
    const name = argument.field + (argument.many ? '...' : '');
    command.argument(argument.required ? `<${name}>` : `[${name}]`);
  }
  for (const option of entry.options ?? []) {
    for (const flag of [option.flag, ...(option.aliases ?? [])]) {
      const short = option.short && flag === option.flag ? `-${option.short}, ` : '';
      if (option.type === 'switch') command.option(`${short}--${flag}`);
      else if (option.type === 'list') command.option(`${short}--${flag} <value>`, '', listValue);
      else if (option.type === 'each') command.option(`${short}--${flag} <value>`, '', eachValue);
      else
        command.option(
          `${short}--${flag} <value>`,
          '',
          option.type === 'number' ? numberValue(flag) : (undefined as never),
        );
    }
  }
  if (words.includes('--help') || words.includes('-h')) return 'help';
  try {
    command.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    const [what = '', near] = error.message.replace(/^error: /, '').split('\n');
    throw new TroupeError('usage', {
      what: `${inert(what.charAt(0).toUpperCase() + what.slice(1))
        .slice(0, 200)
        .replace(/\.$/, '')}.`,
      hint: near ? inert(near.replace(/[()]/g, '')) : `Run \`troupe ${entry.command} --help\`.`,
    });
  }
  return inputOf(entry, command, here);
}

/** The input of a line without flags whose words are just the arguments, one each; undefined for any other line. */
function onlyArguments(entry: Entry, words: readonly string[]): Record<string, unknown> | undefined {
  const wanted = entry.arguments ?? [];
  const simple = words.every((word) => !word.startsWith('-')) && !wanted.some((argument) => argument.many);
  const least = wanted.filter((argument) => argument.required).length;
  if (!simple || words.length > wanted.length || words.length < least) return undefined;
  return Object.fromEntries(words.map((word, index) => [wanted[index]?.field ?? '', word]));
}

function inputOf(entry: Entry, command: Command, here: string): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const values = command.opts<Record<string, unknown>>();
  for (const option of entry.options ?? []) {
    for (const flag of [option.flag, ...(option.aliases ?? [])]) {
      const value = values[flag.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())];
      if (value === undefined) continue;
      checkValue(flag, value, option.values);
      input[option.field] = option.path && typeof value === 'string' ? pathValue(value, option.path, here) : value;
    }
  }
  for (const [index, argument] of (entry.arguments ?? []).entries()) {
    const value: unknown = command.processedArgs[index];
    if (value !== undefined && !(Array.isArray(value) && value.length === 0)) input[argument.field] = value;
  }
  return input;
}

/** Refuses a word that the flag does not know, before anything is done. */
function checkValue(flag: string, value: unknown, known: readonly string[] | undefined): void {
  if (known === undefined) return;
  for (const word of [value].flat()) {
    if (known.includes(String(word))) continue;
    const near = didYouMean(String(word), known);
    throw new TroupeError('usage', {
      what: `--${flag} takes one of ${known.join(', ')}, not ${JSON.stringify(inert(String(word)).slice(0, 40))}.`,
      ...(near ? { hint: `Did you mean ${near}?` } : {}),
    });
  }
}

function listValue(text: string, before: unknown): string[] {
  const values = text
    .split(',')
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return [...(Array.isArray(before) ? (before as string[]) : []), ...values];
}

function eachValue(text: string, before: unknown): string[] {
  return [...(Array.isArray(before) ? (before as string[]) : []), text];
}

/** A path from where it was typed: whoever does the work may stand in another folder. */
function pathValue(text: string, kind: 'always' | 'if-like-one', here: string): string {
  const like = kind === 'always' || /[/\\]|^\.|\.ya?ml$/.test(text);
  return like && text !== '' ? path.resolve(here, text) : text;
}

function numberValue(flag: string): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value)) {
      throw new TroupeError('usage', {
        what: `--${flag} takes a number, not ${JSON.stringify(inert(text).slice(0, 40))}.`,
      });
    }
    return value;
  };
}

/** `error[code]: what – why` and `hint: …` on stderr, or one JSON value there with `--json`; stdout stays empty. */
function printError(
  error: unknown,
  json: boolean,
  host: Host,
  colour: { red(text: string): string; dim(text: string): string },
): number {
  const known = knownError(error);
  if (json) host.err.write(`${JSON.stringify({ error: known.toJSON() })}\n`);
  else {
    const why = known.why ? ` – ${inert(known.why)}` : '';
    host.err.write(
      `${colour.red(`error[${known.code}]`)}: ${inert(known.message)}${why}\n${colour.dim('hint:')} ${inert(known.hint)}\n`,
    );
  }
  if (host.environment['TROUPE_DEBUG'] === '1') host.err.write(`${(error as Error).stack ?? ''}\n`);
  return known.exitCode;
}
