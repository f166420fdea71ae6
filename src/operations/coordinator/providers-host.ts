import type { BackOff, WithBackOff } from '#core/coordinator/breakers.js';
import type { WithProviders } from '#core/coordinator/client-holds.js';
import type { ClientHold } from '#core/coordinator/snapshot.js';
import type { HostOf, HostTools } from './host.js';

/** Clients on hold, and clients that made progress since this service started. */
export class ProvidersHost implements HostOf<'providers'> {
  private readonly tools: Pick<HostTools, 'persisted' | 'runs'>;
  private readonly holdsByClient: Map<string, ClientHold>;
  private readonly proven = new Set<string>();

  constructor(tools: Pick<HostTools, 'persisted' | 'runs'>) {
    this.tools = tools;
    this.holdsByClient = new Map(tools.persisted.holds.map((hold) => [hold.client, hold]));
  }

  readonly facts = async (): Promise<WithProviders> => {
    for (const { executor, progressAt, result } of await this.tools.runs.facts()) {
      const works = progressAt !== undefined || (result !== undefined && result.trouble === undefined);
      if (executor !== undefined && works) this.proven.add(executor);
    }
    return { providers: { holds: new Map(this.holdsByClient), proven: new Set(this.proven) } };
  };

  readonly carryOut: HostOf<'providers'>['carryOut'] = {
    'hold-client': ({ client, hold }) => {
      if (hold) this.holdsByClient.set(client, hold);
      else this.holdsByClient.delete(client);
      this.tools.persisted.saveHolds(this.holds());
      return 0;
    },
  };

  holds(): readonly ClientHold[] {
    return [...this.holdsByClient.values()];
  }

  /** Clears all holds and successes after a change of the configuration, as either may no longer apply. */
  forget(): void {
    this.proven.clear();
    this.holdsByClient.clear();
    this.tools.persisted.saveHolds([]);
  }
}

/** The pause after silent runs; it survives restarts. */
export class BreakerHost implements HostOf<'breaker'> {
  /** Undefined if there is no pause. */
  backOff: BackOff | undefined;
  private readonly tools: Pick<HostTools, 'persisted'>;

  constructor(tools: Pick<HostTools, 'persisted'>) {
    this.tools = tools;
    this.backOff = tools.persisted.backOff;
  }

  readonly facts = async (): Promise<WithBackOff> => ({ backOff: this.backOff });

  readonly carryOut: HostOf<'breaker'>['carryOut'] = {
    'back-off': ({ backOff }) => {
      this.backOff = backOff;
      this.tools.persisted.saveBackOff(backOff);
      return 0;
    },
  };
}
