import type { BaseDecision } from '#core/coordinator/decision.js';
import type { DecisionOf, FactsOf } from '#core/coordinator/part.js';
import type { Decision, PARTS, PartName } from '#core/coordinator/parts.js';
import type { GraphView } from '#core/graph/view.js';
import type { ClientFacts } from './clients.js';

/** What hosts see of the world when they gather their facts: the same for all of one round. */
export interface Look {
  readonly view: GraphView;
  readonly clients: ClientFacts;
}

/** Done once the decision is committed, with the graph as it is then. Answers how many facts that changed at once. */
type Effect<Wanted extends BaseDecision> = (decision: Wanted, view: GraphView) => number | Promise<number>;

/** What is done about each decision, by what it is. */
type Effects<Wanted extends BaseDecision> = {
  readonly [Do in Wanted['do']]: Effect<Wanted & { readonly do: Do }>;
};

/** A part of a round in the world: finds out what it has to know, and does what it wants. */
export interface Host<Facts extends object, Wanted extends BaseDecision> {
  /** Changes nothing: a preview asks for them too. */
  readonly facts: (look: Look) => Promise<Facts>;
  readonly carryOut: Effects<Wanted>;
}

type Parts = typeof PARTS;

/** The host of one part. */
export type HostOf<Name extends PartName> = Host<FactsOf<Parts[Name]>, DecisionOf<Parts[Name]>>;

/** One for each part. */
export type Hosts = { readonly [Name in PartName]: HostOf<Name> };

/** What is done about any decision: its part has a host, and that says it of each. */
export function effectsOf(hosts: Hosts): Readonly<Record<Decision['do'], Effect<never>>> {
  return Object.assign({}, ...Object.values(hosts).map(({ carryOut }) => carryOut));
}

/** The commit was all there is to do; the next look sees another graph. */
export const committed = (): number => 1;
