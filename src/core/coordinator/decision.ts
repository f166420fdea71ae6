import type { EventDraft } from '#core/graph/event.js';

/** One thing the coordinator wants, with the events that record it. What it is about each part says for its own. */
export interface BaseDecision {
  readonly do: string;
  readonly reason: string;
  /** Committed together with those of all other decisions of the pass; effects (spawn, kill) follow the commit. */
  readonly events: readonly EventDraft[];
}
