import type { BackOff } from '#core/coordinator/breakers.js';
import type { ClientHold } from '#core/coordinator/snapshot.js';

/** What a coordinator keeps over restarts: the pause after silent runs, the one a person asked for, and the clients it holds. */
export interface PersistedState {
  readonly backOff: BackOff | undefined;
  readonly paused: boolean;
  /** Clients whose providers were in trouble. */
  readonly holds: readonly ClientHold[];
  saveBackOff(backOff: BackOff | undefined): void;
  savePaused(paused: boolean): void;
  saveHolds(holds: readonly ClientHold[]): void;
}
