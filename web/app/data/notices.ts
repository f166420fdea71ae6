import { Store } from './store.js';

export interface WayBack {
  readonly label: string;
  /** Tasks that it concerns: once all of them are in progress, it is too late. Empty if it never is. */
  readonly ids: readonly string[];
  run(): Promise<unknown>;
}

/** Report of an act, with the way back if there is one. */
export interface Notice {
  readonly text: string;
  /** Label and act of the way back. Rejects with an ApiError if it is too late. */
  readonly back?: WayBack | undefined;
}

/** The latest notice; the one before it is gone, like the moment to take it back. */
export const notice = new Store<Notice | undefined>(undefined);
