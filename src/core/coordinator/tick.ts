import type { Decision } from '#core/coordinator/decision.js';
import type { ClientHold, CoordinatorSnapshot, Terms } from '#core/coordinator/snapshot.js';
import { withConsequences } from '#core/graph/consequences.js';
import { applyDraft } from '#core/graph/draft.js';
import type { EventDraft, Plan } from '#core/graph/event.js';
import type { GraphDraft } from '#core/graph/view.js';
import { LIMITS } from '#kernel/limits.js';

const USUAL_TERMS: Terms = {
  silentMs: LIMITS.silentRunMs,
  idleMs: LIMITS.agentIdleMs,
  leaseGraceMs: LIMITS.leaseGraceMs,
  timeoutMs: LIMITS.taskTimeoutMs,
  checkpointTurns: LIMITS.checkpointTurns,
  checkpointMs: LIMITS.checkpointMs,
};

/**
 * One pass under way. Phases decide one after another on one copy of the graph, so that each sees what those before it
 * decided; what they decided is all that leaves.
 */
export class Tick {
  readonly snapshot: CoordinatorSnapshot;
  readonly now: number;
  readonly terms: Terms;
  readonly graph: GraphDraft;
  readonly decisions: Decision[] = [];
  /** Tasks that nobody is given now, although they are ready: they wait for a run of a workflow. */
  readonly held = new Set<string>();
  /** Places that are free: settled by the phase that looks at the runs. */
  slots = 0;
  /** The clients that are held, as this pass goes on. */
  readonly holds: Map<string, ClientHold>;
  /** Nothing is dispatched before this moment. */
  backOffUntil = 0;

  constructor(snapshot: CoordinatorSnapshot, now: number) {
    this.snapshot = snapshot;
    this.now = now;
    this.terms = { ...USUAL_TERMS, ...snapshot.terms };
    this.holds = new Map(snapshot.providers.holds);
    this.graph = snapshot.view.fork();
  }

  /** Does on the copy what will be committed, with all that follows from it; answers the events. */
  act(plan: Plan<unknown> | undefined): readonly EventDraft[] {
    if (!plan) return [];
    const { events } = withConsequences(this.graph, plan, this.now);
    for (const event of events) applyDraft(this.graph, event);
    return events;
  }
}
