import type { OperationSpec } from '#operations/operation-spec.js';
import type { CommandHost } from './host.js';
import type { Replaced } from './older-commands.js';
import type { Screen } from './screen.js';

/** Parsed command line, with everything a command may use. */
export interface Invocation {
  readonly host: CommandHost;
  readonly screen: Screen;
  /** Input fields, from arguments and options. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly quiet: boolean;
  /** Absolute path: `--dir`, `TROUPE_PROJECT` or the working directory. */
  readonly folder: string;
  /** `process.uptime()` when the command line was entered, in seconds. */
  readonly begunAt: number;
  /** Returns all commands. */
  entries(): Promise<readonly CommandEntry[]>;
  /** The commands that only programs type. */
  programEntries(): Promise<readonly CommandEntry[]>;
}

/** An operation of the table, or a command of this surface. */
export type CommandEntry = OperationSpec | CliCommand;

/** Command at the start of a line, and the words after it. */
export interface FoundEntry {
  readonly entry: CommandEntry;
  readonly rest: readonly string[];
  /** The older name that was typed, if it was one. */
  readonly replaced?: Replaced;
}

/** A command that is not a single operation: it hosts something, or sends requests to the service. */
export interface CliCommand
  extends Pick<OperationSpec, 'command' | 'group' | 'summary' | 'arguments' | 'options' | 'examples' | 'forPrograms'> {
  /** Does nothing itself: a word or flag after it chooses one of its forms. */
  readonly isChosen?: true;
  /** Runs may use it too: it only reads, or checks the caller itself. All others are for people. */
  readonly forRuns?: true;
  /** Returns the exit code. */
  load(): Promise<{ execute(invocation: Invocation): Promise<number> }>;
}
