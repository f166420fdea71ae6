/** One archetype that was chosen, and why. */
export interface Pick {
  readonly archetypeId: string;
  readonly reason: string;
}

export interface Warning {
  readonly code: string;
  readonly message: string;
}

/** What every way of choosing comes to; names and charters follow from here, the same way for all. */
export interface Picks {
  readonly picks: readonly Pick[];
  readonly warnings: readonly Warning[];
}
