import { TroupeError } from '#kernel/errors.js';
import type { Act } from './declaration.js';

/** Refusal of a read about the person to another machine. */
export function onItsMachineOnly({ command }: Pick<Act, 'command'>): TroupeError {
  return new TroupeError('forbidden', {
    what: `\`troupe ${command}\` answers on its own machine alone.`,
    hint: 'Use it on the machine of the service.',
  });
}
