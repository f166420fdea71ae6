import type { ClientHold } from '#core/coordinator/client-hold.js';
import type { BaseDecision } from '#core/coordinator/decision.js';
import type { CommonFacts } from '#core/coordinator/snapshot.js';
import { withConsequences } from '#core/graph/consequences.js';
import { applyDraft } from '#core/graph/draft.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import type { GraphDraft } from '#core/graph/view.js';

/**
 * One pass under way. Parts decide one after another on one copy of the graph, so that each sees what those before it
 * decided; what they want is all that leaves. A part sees the facts it names, and may want what it names.
 */
export class Tick<Facts extends object = object, Wanted extends BaseDecision = never> {
  readonly facts: Facts & CommonFacts;
  readonly now: number;
  readonly want: (decision: Wanted) => void;
  readonly graph: GraphDraft;
  /** Tasks that nobody is given now, although they are ready: they wait for a run of a workflow. */
  readonly held = new Set<string>();
  /** Places that are free: settled by the part that looks at the runs. */
  slots = 0;
  /** The clients that are held, as this pass goes on. */
  readonly holds = new Map<string, ClientHold>();
  /** Nothing is dispatched before this moment. */
  backOffUntil = 0;

  constructor(facts: Facts & CommonFacts, now: number, want: (decision: Wanted) => void) {
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
