import type { Clock } from '#kernel/clock.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { RunHost } from '#ports/run-host.js';
import type { Clients } from './clients.js';
import type { Errands } from './errands.js';
import type { PersistedState } from './persisted-state.js';

/** What a round gives to the hosts of its parts. */
export interface HostTools {
  readonly store: GraphStore;
  readonly runs: RunHost;
  readonly clock: Clock;
  readonly clients: Clients;
  readonly kept: PersistedState;
  readonly errands: Errands;
  readonly onError: (error: unknown) => void;
}
