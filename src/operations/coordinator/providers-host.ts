import type { BackOff, WithBackOff } from '#core/coordinator/breakers.js';
import type { WithProviders } from '#core/coordinator/client-holds.js';
import type { ClientHold } from '#core/coordinator/snapshot.js';
import type { HostOf, HostTools } from './host.js';

/** Which clients are held, and which were seen at work in this life. */
export class ProvidersHost implements HostOf<'providers'> {
  private readonly tools: Pick<HostTools, 'kept' | 'runs'>;
  private readonly held: Map<string, ClientHold>;
  private readonly proven = new Set<string>();

  constructor(tools: Pick<HostTools, 'kept' | 'runs'>) {
    this.tools = tools;
    this.held = new Map(tools.kept.holds.map((hold) => [hold.client, hold]));
  }

  readonly facts = async (): Promise<WithProviders> => {
    for (const { executor, progressAt, result } of this.tools.runs.facts()) {
      const works = progressAt !== undefined || (result !== undefined && result.trouble === undefined);
      if (executor !== undefined && works) this.proven.add(executor);
    }
    return { providers: { holds: new Map(this.held), proven: new Set(this.proven) } };
  };

  readonly carryOut: HostOf<'providers'>['carryOut'] = {
    'hold-client': ({ client, hold }) => {
      if (hold) this.held.set(client, hold);
      else this.held.delete(client);
      this.tools.kept.saveHolds(this.holds());
      return 0;
    },
  };

  holds(): readonly ClientHold[] {
    return [...this.held.values()];
  }

  /** Something is another than before: what was refused may be accepted now, and what worked may not work any more. */
  forget(): void {
    this.proven.clear();
    this.held.clear();
    this.tools.kept.saveHolds([]);
  }
}

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
