import type { Archetype } from '#core/catalog/catalog.js';
import type { ProposedMember } from './proposal.js';

/** One archetype that was chosen, and why. */
export interface Pick {
  readonly archetypeId: string;
  readonly reason: string;
  /** Made for this one team: not of the catalog, its charter is what it is. */
  readonly bespoke?: BespokeRole;
  /** A name that is settled already; without it the next free one is given. */
  readonly name?: SettledName;
}

export interface BespokeRole {
  readonly archetype: Archetype;
  readonly charter: string;
}

export type SettledName = globalThis.Pick<ProposedMember, 'proposed_name' | 'augment_name' | 'name_source'>;

export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** What every way of choosing comes to; names and charters follow from here, the same way for all. */
export interface Picks {
  readonly picks: readonly Pick[];
  readonly warnings: readonly Warning[];
}
