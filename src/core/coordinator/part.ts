import type { BaseDecision } from '#core/coordinator/decision.js';
import type { Tick } from '#core/coordinator/tick.js';

/**
 * One part of a round: what it has to know beside the graph and the runs (`Own`), what it decides, and what it looks at on the way
 * (`Seen`: its own facts, and those of other parts). Its host, in operations, gathers the facts and carries the decisions out.
 */
export interface Part<Own extends object, Wanted extends BaseDecision, Seen extends object = Own> {
  /** What is known where there is nothing to know: the part then decides nothing of its own accord. */
  readonly none: Own;
  /** Decides on the copy of the graph that all parts of a pass share. */
  readonly decide: (tick: Tick<Seen, Wanted>) => void;
}

/** The facts that a part owns. */
export type FactsOf<Of> = Of extends { readonly none: infer Own } ? Own : never;

/** What a part may decide. */
export type DecisionOf<Of> = Of extends { readonly decide: (tick: Tick<infer _Seen, infer Wanted>) => void }
  ? Wanted
  : never;

/** All of several at once. */
export type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
