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

/** Shared input of all hosts when they gather the facts of a round. */
export interface FactsInput {
  readonly view: GraphView;
  readonly clients: ClientFacts;
}

/**
 * Carries out a decision after its commit, on the graph after that commit. Returns the number of facts that changed at
 * once.
 */
type Effect<PartDecision extends BaseDecision> = (decision: PartDecision, view: GraphView) => number | Promise<number>;

/** Effects of a part's decisions, by decision. */
type Effects<PartDecision extends BaseDecision> = {
  readonly [Do in PartDecision['do']]: Effect<PartDecision & { readonly do: Do }>;
};

/** Connects a part of a round to the outside: gathers its facts and carries out its decisions. */
export interface Host<Facts extends object, PartDecision extends BaseDecision> {
  /** Has no side effects: a preview gathers the facts too. */
  readonly facts: (look: FactsInput) => Promise<Facts>;
  readonly carryOut: Effects<PartDecision>;
}

type Parts = typeof PARTS;

/**
 * Decisions that the host of a part carries out: all of the part's decisions, except that only the runs host ends runs.
 */
type CarriedOut<Name extends PartName> = Name extends 'runs'
  ? DecisionOf<Parts[Name]>
  : Exclude<DecisionOf<Parts[Name]>, KillDecision>;

/** The host of one part. */
export type HostOf<Name extends PartName> = Host<FactsOf<Parts[Name]>, CarriedOut<Name>>;

/** One host for each part. */
export type Hosts = { readonly [Name in PartName]: HostOf<Name> };

/** Carries out any decision through its host; several hosts may share an effect only if it is the same function. */
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

/** Effect of a decision that is complete once committed; the graph has changed. */
export const commitOnly = (): number => 1;

/** Services that a round provides to its hosts. */
export interface HostTools {
  readonly store: GraphStore;
  readonly runs: RunHost;
  readonly clock: Clock;
  readonly clients: Clients;
  readonly persisted: PersistedState;
  readonly errands: Errands;
  readonly onError: (error: unknown) => void;
}

/**
 * State that survives restarts: the pause after silent runs, the pause requested by a person, and the clients on hold.
 */
export interface PersistedState {
  readonly backOff: BackOff | undefined;
  readonly paused: boolean;
  /** Clients whose providers were failing. */
  readonly holds: readonly ClientHold[];
  saveBackOff(backOff: BackOff | undefined): void;
  savePaused(paused: boolean): void;
  saveHolds(holds: readonly ClientHold[]): void;
}
