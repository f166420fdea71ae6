// A pass of the coordinator: what its parts decide on, what a part is, and what a decision is.
import { applyDraft, withConsequences } from '#core/graph/consequences.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import type { GraphDraft } from '#core/graph/view.js';
import type { ClientHold, CommonFacts } from './snapshot.js';

/** One thing the coordinator wants, with the events that record it. What it is about each part says for its own. */
export interface BaseDecision {
  readonly do: string;
  readonly reason: string;
  /** Committed together with those of all other decisions of the pass; effects (spawn, kill) follow the commit. */
  readonly events: readonly EventDraft[];
}

/**
 * One pass under way. Parts decide one after another on one copy of the graph, so that each sees what those before it
 * decided; what they want is all that leaves. A part sees the facts it names, and may want what it names.
 */
export class Tick<Facts extends object = object, Decision extends BaseDecision = never> {
  readonly facts: Facts & CommonFacts;
  readonly now: number;
  readonly want: (decision: Decision) => void;
  readonly graph: GraphDraft;
  /** Tasks that nobody is given now, although they are ready: they wait for a run of a workflow. */
  readonly awaitingWorkflow = new Set<string>();
  /** Places that are free: settled by the part that looks at the runs. */
  slots = 0;
  /** The clients that are held, as this pass goes on. */
  readonly clientHolds = new Map<string, ClientHold>();
  /** What this pass has set aside for runs beyond what the books say. */
  readonly raised = new Map<string, { readonly taskId: string; readonly usd: number; readonly tokens: number }>();
  /** Nothing is dispatched before this moment. */
  backOffUntil = 0;

  constructor(facts: Facts & CommonFacts, now: number, want: (decision: Decision) => void) {
    this.facts = facts;
    this.now = now;
    this.want = want;
    this.graph = facts.view.fork();
  }

  /** Does on the copy what will be committed, with all that follows from it; answers the events. */
  act(plan: Plan<unknown> | undefined): readonly EventDraft[] {
    if (!plan) return [];
    const { events } = withConsequences(this.graph, plan, this.now);
    for (const event of events) applyDraft(this.graph, event);
    return events;
  }
}

/**
 * One part of a round: what it has to know beside the graph and the runs (`Own`), what it decides, and what it looks at on the way
 * (`Facts`: its own facts, and those of other parts). Its host, in operations, gathers the facts and carries the decisions out.
 */
export interface Part<Own extends object, Decision extends BaseDecision, Facts extends object = Own> {
  /** What is known where there is nothing to know: the part then decides nothing of its own accord. */
  readonly none: Own;
  /** Decides on the copy of the graph that all parts of a pass share. */
  readonly decide: (tick: Tick<Facts, Decision>) => void;
}

/** The facts that a part owns. */
export type FactsOf<Of> = Of extends { readonly none: infer Own } ? Own : never;

/** What a part may decide. */
export type DecisionOf<Of> = Of extends { readonly decide: (tick: Tick<infer _Facts, infer Decision>) => void }
  ? Decision
  : never;

/** All of several at once. */
export type AllOf<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
