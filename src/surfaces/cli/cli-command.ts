import type { OperationSpec } from '#operations/operation-spec.js';
import type { Invocation } from './invocation.js';

/** A command that is more than one operation: it hosts something, or asks the service itself. */
export interface CliCommand
  extends Pick<OperationSpec, 'command' | 'group' | 'summary' | 'arguments' | 'options' | 'examples'> {
  /** A run may use it too: it only looks, or finds out by itself who asks. All others are for people. */
  readonly forRuns?: true;
  /** Returns the exit code. */
  load(): Promise<{ execute(invocation: Invocation): Promise<number> }>;
}
