import { Store } from '../../data/store.js';

/** A wish of a person, as far as it is known when the dialog opens. */
export interface Asked {
  readonly goal?: string;
  readonly playbook?: string;
}

/** Set while the dialog that plans work is open. */
export const asked = new Store<Asked | undefined>(undefined);
