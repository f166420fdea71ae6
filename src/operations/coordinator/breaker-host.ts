import type { BackOff, WithBackOff } from '#core/coordinator/breakers.js';
import type { HostOf } from './host.js';
import type { HostTools } from './host-tools.js';

/** The pause after silent runs, kept over restarts. */
export class BreakerHost implements HostOf<'breaker'> {
  /** Undefined while there is none. */
  backOff: BackOff | undefined;
  private readonly tools: Pick<HostTools, 'kept'>;

  constructor(tools: Pick<HostTools, 'kept'>) {
    this.tools = tools;
    this.backOff = tools.kept.backOff;
  }

  readonly facts = async (): Promise<WithBackOff> => ({ backOff: this.backOff });

  readonly carryOut: HostOf<'breaker'>['carryOut'] = {
    'back-off': ({ backOff }) => {
      this.backOff = backOff;
      this.tools.kept.saveBackOff(backOff);
      return 0;
    },
  };
}
