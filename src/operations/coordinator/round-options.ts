import type { Decision } from '#core/coordinator/parts.js';
import type { Terms } from '#core/coordinator/snapshot.js';
import type { Clock } from '#kernel/clock.js';
import type { Books } from '#operations/models/books.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { RunHost } from '#ports/run-host.js';
import type { TrustedCommands } from '#ports/trust.js';
import type { Clients } from './clients.js';
import type { HostTools } from './host-tools.js';
import type { RoundHosts } from './hosts.js';
import type { PersistedState } from './persisted-state.js';

/**
 * What rounds work with; the loop that calls them adds when. Every part has its host, so that whoever puts a round together decides as
 * everybody else does: what is to do nothing is a host that does nothing.
 */
export interface RoundOptions {
  readonly store: GraphStore;
  readonly runs: RunHost;
  readonly clock: Clock;
  readonly kept: PersistedState;
  readonly clients: Clients;
  /** The ledger, shared with all who spend in this process. */
  readonly books: Books;
  /** Which commands may run on this machine. */
  readonly trust: Pick<TrustedCommands, 'trusts' | 'look' | 'add'>;
  /** What of the terms is another than the settings say. */
  readonly terms: Partial<Terms>;
  /** The hosts of all parts, made once a round is. */
  readonly hosts: (tools: HostTools) => RoundHosts;
  /** Told what each tick that acted decided, after it was carried out; for a log. Must not throw. */
  readonly onDecisions: (decisions: readonly Decision[]) => void;
  /** Told when a tick could not be completed; the next one tries again. Must not throw. */
  readonly onError: (error: unknown) => void;
}
