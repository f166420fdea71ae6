export interface Reservation {
  readonly usd: number;
  readonly tokens: number;
}

/** What the client of a run is told and held to; what no cap bounds is left out. */
export interface SpendLimit {
  readonly usd?: number;
  readonly tokens?: number;
}

/** What a claim may set aside, and what of that its client is held to. */
export interface Grant {
  readonly reserve: Reservation;
  readonly limit: SpendLimit;
}
