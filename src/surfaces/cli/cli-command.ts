import type { ArgumentFace, Group, OptionFace } from '#operations/face.js';
import type { Invocation } from './invocation.js';

/** A command that is more than one operation: it hosts something, or asks the service itself. */
export interface CliCommand {
  readonly command: string;
  readonly group: Group;
  readonly summary: string;
  readonly arguments?: readonly ArgumentFace[];
  readonly options?: readonly OptionFace[];
  readonly examples: readonly string[];
  /** Returns the exit code. */
  load(): Promise<{ execute(invocation: Invocation): Promise<number> }>;
}
