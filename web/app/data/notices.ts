import { Store } from './store.js';

/** Report of an act, with the way back if there is one. */
export interface Notice {
  readonly text: string;
  /** Label and act of the way back. Rejects with an ApiError if it is too late. */
  readonly back?: { readonly label: string; run(): Promise<unknown> } | undefined;
}

/** The latest notice; the one before it is gone, like the moment to take it back. */
export const notice = new Store<Notice | undefined>(undefined);
