import type { Host } from './host.js';
import type { Screen } from './screen.js';

/** One command line, parsed, with everything it may use. */
export interface Invocation {
  readonly host: Host;
  readonly screen: Screen;
  /** The command's fields, as its arguments and options name them. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly json: boolean;
  readonly quiet: boolean;
  /** From `--dir`, or where the command was typed. Absolute. */
  readonly folder: string;
}
