/**
 * The command line: parsing, help, screen, live rows, errors.
 * @packageDocumentation
 */
import path from 'node:path';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { inert } from '#kernel/text.js';
import { aboutInput, refuseBeyondRights } from '#operations/call.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { COMPLETE } from '#surfaces/cli/completion/word.js';
import { allEntries, findEntry, programEntries } from './entries.js';
import type { CommandHost } from './host.js';
import type { CliCommand, CommandEntry, Invocation } from './invocation.js';
import { parseFlags } from './parse-flags.js';
import { rendererOf } from './renderers.js';
import type { Around } from './screen.js';
import { makeScreen } from './terminal.js';

interface Globals {
  readonly json: boolean;
  readonly quiet: boolean;
  readonly noColour: boolean;
  readonly dir: string | undefined;
}

/**
 * Executes one command line: parses it, calls one operation and prints the answer. Returns the exit code; never throws.
 */
export async function runCommandLine(argv: readonly string[], host: CommandHost): Promise<number> {
  if (argv[0] === COMPLETE) {
    const { completeWords: complete } = await import('#surfaces/cli/completion/complete.js');
    return complete(argv.slice(1), host);
  }
  const begunAt = process.uptime(); // `performance` would load a dozen modules
  const { globals, rest } = takeGlobals(argv);
  const screen = makeScreen({
    out: host.out,
    err: host.err,
    environment: host.environment,
    noColour: globals.noColour,
    quiet: globals.quiet,
  });
  let entry: CommandEntry | undefined;
  try {
    if (globals.dir === '') throw new TroupeError('usage', { what: '--dir requires a folder.' });
    const folder = path.resolve(host.folder, globals.dir ?? (host.environment['TROUPE_PROJECT'] || '.'));
    const words = asCommand(rest);
    // Before any table of commands is loaded.
    if (words[0] !== undefined && VERSION.includes(words[0])) {
      screen.line(globals.json ? JSON.stringify({ version: host.version() }) : host.version());
      return 0;
    }
    const match = await findEntry(words);
    const around = {
      host,
      screen,
      json: globals.json,
      quiet: globals.quiet,
      folder,
      begunAt,
      entries: allEntries,
      programEntries,
    };
    if (!match) {
      const { withoutCommand } = await import('./without-command.js');
      return await withoutCommand(words, { ...around, input: {} });
    }
    entry = match.entry;
    if (match.replaced && !globals.json) (await import('./older-commands.js')).sayCurrentName(match.replaced, screen);
    const parsed = await parseFlags(entry, match.rest, host.folder);
    if (parsed === 'help') {
      const { printHelp } = await import('./help.js');
      const entries = await allEntries();
      const { command } = entry;
      // With its forms, which a command found by its first words lacks.
      printHelp(screen, entries.find((one) => one.command === command) ?? entry, entries);
      return 0;
    }
    return await execute(entry, { ...around, input: parsed }, match.replaced?.field);
  } catch (error) {
    const failure = asTroupeError(error);
    // With --json, stderr contains only the error. `database_read_only` already states that the project is read-only.
    if (!globals.json && failure.code !== 'database_read_only') await printReadOnlyNotice({ host, screen });
    if (!entry) return printError(failure, globals.json, host, screen.colour);
    const { asTyped } = await import('./as-typed.js');
    return printError(asTyped(aboutInput(failure, entry), entry), globals.json, host, screen.colour);
  }
}

/** `field` is the one field of the answer that `--json` prints; undefined for all of it. */
async function execute(entry: CommandEntry, invocation: Invocation, field?: string): Promise<number> {
  sayElsewhere(entry, invocation);
  if (!('kind' in entry)) {
    await refuseRun(entry, invocation);
    const code = await (await entry.load()).execute(invocation);
    await printReadOnlyNotice(invocation);
    return code;
  }
  if (entry.asks) {
    const { sayWhomItAsks } = await import('./asked-model.js');
    await sayWhomItAsks(entry, invocation);
  }
  const output = entry.tells ? await withProgress(entry.tells, entry, invocation) : await askedAgain(entry, invocation);
  if (output === DECLINED) return 1;
  if (invocation.json)
    invocation.screen.line(JSON.stringify(field === undefined || !isJsonObject(output) ? output : output[field]));
  else {
    const print = await rendererOf(entry.name);
    await print(output, invocation.screen, aroundOf(invocation));
  }
  await printReadOnlyNotice(invocation);
  return exitCodeOf(output);
}

/**
 * Prints a notice on stderr if the answer comes from a replica and may be out of date. Stdout is the same as ever, for
 * programs.
 */
async function printReadOnlyNotice({ host, screen }: Pick<Invocation, 'host' | 'screen'>): Promise<void> {
  const reading = host.reading();
  if (reading === undefined) return;
  const { readingInWords } = await import('./render/reading.js');
  const words = readingInWords(reading);
  if (words !== undefined) screen.aside(screen.colour.dim(words));
}

/** Calls an operation and prints its progress events. */
async function withProgress(op: string, entry: OperationSpec, invocation: Invocation): Promise<unknown> {
  const { followProgress } = await import('./progress.js');
  const progress = await followProgress(op, invocation);
  try {
    return await askedAgain(entry, invocation);
  } finally {
    await progress.stop();
  }
}

/** Prints the project's folder before a command changes another project than the one around the working directory. */
function sayElsewhere(entry: CommandEntry, { host, screen, folder, json }: Invocation): void {
  const changes = 'kind' in entry ? entry.kind === 'write' : entry.forRuns !== true;
  if (!changes || json) return;
  const project = host.findProject(folder);
  if (project === undefined || project === host.findProject(host.folder)) return;
  screen.aside(`In the project ${inert(project)}:`);
}

/** Rejects calls by runs of commands that host work or need a person's decision. A running service rejects them too. */
async function refuseRun({ command, forRuns }: CliCommand, { host, folder }: Invocation): Promise<void> {
  if (forRuns !== true) refuseBeyondRights({ command, kind: 'write' }, await host.caller(folder));
}

/** Result of a call that the person declined. */
const DECLINED = Symbol('declined');

/** Calls an operation. If it needs confirmation and a terminal is available, asks the person and calls it again. */
async function askedAgain(entry: OperationSpec, invocation: Invocation): Promise<unknown> {
  const { host, screen, input, folder, json } = invocation;
  try {
    if (!entry.writesOutside) return await host.call(entry, input, folder);
    const { callNamingFiles } = await import('./outside-files.js');
    return await callNamingFiles(invocation, input, (wish) => host.call(entry, wish, folder));
  } catch (error) {
    if (!(error instanceof TroupeError) || error.code !== 'confirmation_needed' || json) throw error;
    const { shown, agree } = error.details;
    if (typeof shown === 'string') screen.aside(inert(shown, true));
    const reply = await host.ask(`${inert(error.message, true)} Continue? [y/N] `);
    if (reply === undefined) throw error;
    // Some operations require an echo of the plan that was shown: they carry out exactly that plan, or nothing.
    const yes = isJsonObject(agree) ? agree : { yes: true };
    if (/^y(es)?$/i.test(reply.trim())) return host.call(entry, { ...input, ...yes }, folder);
    screen.aside('Nothing was changed.');
    return DECLINED;
  }
}

/** Facts about the project of this command line that renderers may query. */
function aroundOf({ host, folder }: Invocation): Around {
  return {
    serviceAnswers: () => host.serviceAnswers(folder),
    stage: () => {
      const able = host.out.isTTY && host.input.isTTY && host.environment['TERM'] !== 'dumb';
      return able ? { input: host.input, out: host.out } : undefined;
    },
  };
}

/** Exit code of an answer: 1 for `ok: false` or `valid: false`, which checks return if they found a problem. */
function exitCodeOf(output: unknown): number {
  const { ok, valid } = isJsonObject(output) ? output : {};
  return ok === false || valid === false ? 1 : 0;
}

const VERSION: readonly string[] = ['--version', '-V', 'version'];

/** Replaces a leading `--help` or `-h` by the command `help`. */
function asCommand(words: readonly string[]): readonly string[] {
  return words[0] === '--help' || words[0] === '-h' ? ['help', ...words.slice(1)] : words;
}

/** Extracts the flags of every command, which may be anywhere before `--`. */
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

/** Prints `error[code]: what – why` and `hint: …` on stderr, or one JSON value with `--json`. Stdout stays empty. */
function printError(
  failure: TroupeError,
  json: boolean,
  host: CommandHost,
  colour: { red(text: string): string; dim(text: string): string },
): number {
  if (json) host.err.write(`${JSON.stringify({ error: failure.toJSON() })}\n`);
  else {
    const why = failure.why ? ` – ${inert(failure.why)}` : '';
    host.err.write(
      `${colour.red(`error[${failure.code}]`)}: ${inert(failure.message)}${why}\n${colour.dim('hint:')} ${inert(failure.hint)}\n`,
    );
  }
  if (host.environment['TROUPE_DEBUG'] === '1')
    host.err.write(`${((failure.cause ?? failure) as Error).stack ?? ''}\n`);
  return failure.exitCode;
}
