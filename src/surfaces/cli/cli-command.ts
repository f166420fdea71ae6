import type { Face } from '#operations/face.js';
import type { Invocation } from './invocation.js';

/** A command that is more than one operation: it hosts something, or asks the service itself. */
export interface CliCommand extends Pick<Face, 'command' | 'group' | 'summary' | 'arguments' | 'options' | 'examples'> {
  /** Returns the exit code. */
  load(): Promise<{ execute(invocation: Invocation): Promise<number> }>;
}
