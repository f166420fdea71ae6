import path from 'node:path';
import type { Command } from 'commander';
import { parseDecimal } from '#kernel/decimal.js';
import { TroupeError } from '#kernel/errors.js';
import { isAddress } from '#kernel/paths.js';
import { didYouMean, inert } from '#kernel/text.js';
import type { OptionSpec } from '#operations/operation-spec.js';
import type { CommandEntry } from './invocation.js';

/** One spelling of an option, and the attribute under which commander stores its value. */
interface Spelling {
  readonly option: OptionSpec;
  readonly flag: string;
  readonly attribute: string;
}

/** Parsers of the word after a flag. `before` is the value of the same flag earlier in the line. */
const READERS: Partial<Record<OptionSpec['type'], (flag: string) => (text: string, before: unknown) => unknown>> = {
  text: (flag) => (text, before) => meantOnce(`--${flag}`, before, text),
  list: () => listValue,
  each: () => eachValue,
  number: (flag) => (text, before) => meantOnce(`--${flag}`, before, numberValue(flag, text)),
};

/**
 * Parses the words after a command into its input fields; returns `help` if they request it. Commander is only loaded
 * if there is something to parse.
 */
export async function parseFlags(
  entry: CommandEntry,
  words: readonly string[],
  here: string,
): Promise<Record<string, unknown> | 'help'> {
  const plain = onlyArguments(entry, words);
  if (plain) return plain;
  const { Command, CommanderError, Option } = await import('commander');
  const command: Command = new Command(entry.command)
    .exitOverride()
    .helpOption(false)
    .configureOutput({ writeErr: () => undefined })
    .option('-h, --help');
  for (const argument of entry.arguments ?? []) {
    const name = argument.field.toUpperCase() + (argument.many ? '...' : '');
    command.argument(argument.required ? `<${name}>` : `[${name}]`);
  }
  const spellings: Spelling[] = [];
  for (const option of entry.options ?? []) {
    for (const flag of [option.flag, ...(option.aliases ?? [])]) {
      const short = option.short && flag === option.flag ? `-${option.short}, ` : '';
      const parsed = new Option(`${short}--${flag}${option.type === 'switch' ? '' : ' <value>'}`);
      // Commander parses `--no-x` as false for `x`; here it is a flag like any other.
      parsed.negate = false;
      const reader = READERS[option.type]?.(flag);
      if (reader) parsed.argParser(reader);
      command.addOption(parsed);
      spellings.push({ option, flag, attribute: parsed.attributeName() });
    }
  }
  const end = words.indexOf('--');
  const flags = end === -1 ? words : words.slice(0, end);
  if (flags.includes('--help') || flags.includes('-h')) return 'help';
  try {
    command.parse([...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // A word in the place of a choice says more than the argument that is missing after it.
    if (error.code === 'commander.missingArgument')
      for (const [index, word] of command.args.entries()) {
        const argument = entry.arguments?.[index];
        if (argument !== undefined) checkValue(argument.field.toUpperCase(), word, argument.values);
      }
    const [what = '', near] = error.message.replace(/^error: /, '').split('\n');
    throw new TroupeError('usage', {
      what: `${inert(what.charAt(0).toUpperCase() + what.slice(1))
        .slice(0, 200)
        .replace(/\.$/, '')}.`,
      ...(near ? { hint: inert(near.replace(/[()]/g, '')) } : {}),
    });
  }
  if (command.args.includes('-')) (await import('./standard-input.js')).refuseStandardInput(entry, command.args);
  return inputOf(entry, command, spellings, here);
}

/** Returns the input of a line without flags whose words are exactly its arguments; undefined for any other line. */
function onlyArguments(entry: CommandEntry, words: readonly string[]): Record<string, unknown> | undefined {
  const parameters = entry.arguments ?? [];
  const isPlain = parameters.every(
    ({ many, path, values }) => many !== true && path === undefined && values === undefined,
  );
  const simple = words.every((word) => !word.startsWith('-')) && isPlain;
  const least = parameters.filter((argument) => argument.required).length;
  if (!simple || words.length > parameters.length || words.length < least) return undefined;
  return Object.fromEntries(words.map((word, index) => [parameters[index]?.field ?? '', word]));
}

function inputOf(
  entry: CommandEntry,
  command: Command,
  spellings: readonly Spelling[],
  here: string,
): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  const values = command.opts<Record<string, unknown>>();
  for (const { option, flag, attribute } of spellings) {
    const value = values[attribute];
    if (value === undefined) continue;
    checkValue(`--${flag}`, value, option.values);
    const before = input[option.field];
    if (Array.isArray(value)) input[option.field] = Array.isArray(before) ? [...before, ...value] : value;
    else {
      const isPath = option.path !== undefined && typeof value === 'string';
      input[option.field] = meantOnce(`--${flag}`, before, isPath ? pathValue(value, option.path, here) : value);
    }
  }
  for (const [index, argument] of (entry.arguments ?? []).entries()) {
    const value: unknown = command.processedArgs[index];
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    checkValue(argument.field.toUpperCase(), value, argument.values);
    const isPath = argument.path !== undefined && typeof value === 'string';
    const meant = isPath ? pathValue(value, argument.path, here) : value;
    input[argument.field] = meantOnce(argument.field.toUpperCase(), input[argument.field], meant);
  }
  return input;
}

/** Rejects two values of one field, by flags or an argument: neither may be dropped silently. */
function meantOnce<Value>(name: string, before: unknown, value: Value): Value {
  if (before === undefined || before === value) return value;
  const [first, second] = [before, value].map((one) => JSON.stringify(inert(String(one)).slice(0, 40)));
  throw new TroupeError('usage', { what: `${name} is given twice, as ${first} and as ${second}, and one is meant.` });
}

/** Rejects a value outside the choices of a flag or argument, before anything is executed. */
function checkValue(name: string, value: unknown, choices: readonly string[] | undefined): void {
  if (choices === undefined) return;
  for (const word of [value].flat()) {
    if (choices.includes(String(word))) continue;
    const near = didYouMean(String(word), choices);
    throw new TroupeError('usage', {
      what: `${name} must be one of ${choices.join(', ')}, not ${JSON.stringify(inert(String(word)).slice(0, 40))}.`,
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

/** Resolves a path relative to the folder in which it was typed: the operation may run in another one. */
function pathValue(text: string, kind: 'always' | 'if-like-one', here: string): string {
  if (text === '-' || isAddress(text)) return text; // standard input or output; a path on another machine
  const like = kind === 'always' || /[/\\]|^\.|\.ya?ml$/.test(text);
  return like && text !== '' ? path.resolve(here, text) : text;
}

function numberValue(flag: string, text: string): number {
  const value = parseDecimal(text);
  if (value !== undefined) return value;
  throw new TroupeError('usage', {
    what: `--${flag} must be a number, not ${JSON.stringify(inert(text).slice(0, 40))}.`,
  });
}
