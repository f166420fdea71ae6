// One pass of the coordinator (a tick): its parts and their decisions.
import { applyDraft, withConsequences } from '#core/graph/consequences.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import type { GraphDraft } from '#core/graph/view.js';
import { KeptFilter } from '#kernel/list-changes.js';
import { type ClientHold, type CommonFacts, isClientRun, type RunFact } from './snapshot.js';

const CLIENT_RUNS = new KeptFilter<RunFact>(isClientRun);

/** One decision of the coordinator, with the events that record it. Each part adds fields of its own. */
export interface BaseDecision {
  readonly do: string;
  readonly reason: string;
  /** Committed together with the events of all other decisions of the pass; effects (spawn, kill) follow the commit. */
  readonly events: readonly EventDraft[];
}

/**
 * One pass of the coordinator. The parts decide in order on one shared draft of the graph, and each sees the changes of
 * the parts before it. Only the decisions passed to `want` leave the pass. The type parameters restrict a part to the
 * facts and decisions that it declares.
 */
export class Tick<Facts extends object = object, Decision extends BaseDecision = never> {
  readonly facts: Facts & CommonFacts;
  readonly now: number;
  readonly want: (decision: Decision) => void;
  readonly graph: GraphDraft;
  /** Ready tasks that must not be started because they wait for a run of a workflow. */
  readonly awaitingWorkflow = new Set<string>();
  /** Free slots; set by the part that examines the runs. */
  slots = 0;
  /** The clients on hold, updated during the pass. */
  readonly clientHolds = new Map<string, ClientHold>();
  /** Budget reserved for runs in this pass, beyond the reservations of the ledger. */
  readonly raised = new Map<string, { readonly taskId: string; readonly usd: number; readonly tokens: number }>();
  /** Nothing is dispatched before this time. */
  backOffUntil = 0;

  private ofClients: readonly RunFact[] | undefined;

  constructor(facts: Facts & CommonFacts, now: number, want: (decision: Decision) => void) {
    this.facts = facts;
    this.now = now;
    this.want = want;
    this.graph = facts.view.fork();
  }

  /** Runs that agent clients carry out. Several parts read them. */
  get clientRuns(): readonly RunFact[] {
    this.ofClients ??= CLIENT_RUNS.of(this.facts.runs);
    return this.ofClients;
  }

  /** Applies a plan and its consequences to the draft; returns the resulting events for the commit. */
  act(plan: Plan<unknown> | undefined): readonly EventDraft[] {
    if (!plan) return [];
    const { events } = withConsequences(this.graph, plan, this.now);
    for (const event of events) applyDraft(this.graph, event);
    return events;
  }
}

/**
 * One part of a pass: the facts it owns (`Own`), the decisions it makes, and all facts it reads (`Facts`: its own and
 * those of other parts). Its host, in operations, gathers the facts and carries out the decisions.
 */
export interface Part<Own extends object, Decision extends BaseDecision, Facts extends object = Own> {
  /** Facts for a pass in which nothing is known: with them the part decides nothing. */
  readonly none: Own;
  /** Decides on the draft of the graph that all parts of a pass share. */
  readonly decide: (tick: Tick<Facts, Decision>) => void;
}

export type FactsOf<Of> = Of extends { readonly none: infer Own } ? Own : never;

/** The decisions of a part. */
export type DecisionOf<Of> = Of extends { readonly decide: (tick: Tick<infer _Facts, infer Decision>) => void }
  ? Decision
  : never;

/** Intersection of the members of a union type. */
export type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
