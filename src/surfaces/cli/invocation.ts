import type { OperationSpec } from '#operations/operation-spec.js';
import type { CommandHost } from './host.js';
import type { Screen } from './screen.js';

/** One command line, parsed, with everything it may use. */
export interface Invocation {
  readonly host: CommandHost;
  readonly screen: Screen;
  /** The command's fields, as its arguments and options name them. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly quiet: boolean;
  /** From `--dir`, or where the command was typed. Absolute. */
  readonly folder: string;
  /** `performance.now()` when the command line was entered. */
  readonly begunAt: number;
  /** Every command there is. */
  entries(): Promise<readonly CommandEntry[]>;
}

/** A command: an operation of the table, or one of this surface. */
export type CommandEntry = OperationSpec | CliCommand;

/** A command that is more than one operation: it hosts something, or asks the service itself. */
export interface CliCommand
  extends Pick<OperationSpec, 'command' | 'group' | 'summary' | 'arguments' | 'options' | 'examples'> {
  /** A run may use it too: it only looks, or finds out by itself who asks. All others are for people. */
  readonly forRuns?: true;
  /** Returns the exit code. */
  load(): Promise<{ execute(invocation: Invocation): Promise<number> }>;
}
