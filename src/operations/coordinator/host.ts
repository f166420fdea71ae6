import type { BackOff, KillDecision } from '#core/coordinator/breakers.js';
import type { CoordinatorDecision, PARTS, PartName } from '#core/coordinator/parts.js';
import type { ClientHold } from '#core/coordinator/snapshot.js';
import type { BaseDecision, DecisionOf, FactsOf } from '#core/coordinator/tick.js';
import type { GraphView } from '#core/graph/view.js';
import type { Clock } from '#kernel/clock.js';
import { assert } from '#kernel/errors.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { RunHost } from '#ports/run-host.js';
import type { ClientFacts, Clients } from './clients.js';
import type { Errands } from './errands.js';

/** What hosts see of the world when they gather their facts: the same for all of one round. */
export interface Look {
  readonly view: GraphView;
  readonly clients: ClientFacts;
}

/** Done once the decision is committed, with the graph as it is then. Answers how many facts that changed at once. */
type Effect<PartDecision extends BaseDecision> = (decision: PartDecision, view: GraphView) => number | Promise<number>;

/** What is done about each decision, by what it is. */
type Effects<PartDecision extends BaseDecision> = {
  readonly [Do in PartDecision['do']]: Effect<PartDecision & { readonly do: Do }>;
};

/** A part of a round in the world: finds out what it has to know, and does what it wants. */
export interface Host<Facts extends object, PartDecision extends BaseDecision> {
  /** Changes nothing: a preview asks for them too. */
  readonly facts: (look: Look) => Promise<Facts>;
  readonly carryOut: Effects<PartDecision>;
}

type Parts = typeof PARTS;

/** What the host of a part carries out: all that the part wants, but that several parts want a run ended, and one host ends it. */
type CarriedOut<Name extends PartName> = Name extends 'runs'
  ? DecisionOf<Parts[Name]>
  : Exclude<DecisionOf<Parts[Name]>, KillDecision>;

/** The host of one part. */
export type HostOf<Name extends PartName> = Host<FactsOf<Parts[Name]>, CarriedOut<Name>>;

/** One for each part. */
export type Hosts = { readonly [Name in PartName]: HostOf<Name> };

/** Carries out any decision, by the host that answers for it; several may only where they do the very same. */
export function effectsOf(hosts: Hosts): Effect<CoordinatorDecision> {
  const all = Object.values(hosts).map(({ carryOut }) => carryOut);
  const effects: Readonly<Record<string, Effect<CoordinatorDecision>>> = Object.assign({}, ...all);
  for (const carryOut of all)
    for (const [name, effect] of Object.entries(carryOut))
      assert(effects[name] === effect, `one host carries out ${name}, or all do the same`);
  return (decision, view) => {
    const effect = effects[decision.do];
    assert(effect, `a host carries out ${decision.do}`);
    return effect(decision, view);
  };
}

/** The commit was all there is to do; the next look sees another graph. */
export const commitOnly = (): number => 1;

/** What a round gives to the hosts of its parts. */
export interface HostTools {
  readonly store: GraphStore;
  readonly runs: RunHost;
  readonly clock: Clock;
  readonly clients: Clients;
  readonly persisted: PersistedState;
  readonly errands: Errands;
  readonly onError: (error: unknown) => void;
}

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
