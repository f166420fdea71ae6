import type { GraphStore } from '#ports/graph-store.js';
import type { GraphDoctor } from './graph-doctor.js';

/** A graph that one process holds for life: nobody else writes it meanwhile. */
export interface ExclusiveGraph extends GraphStore {
  /** Whether it is another's by now: every change is refused. */
  readonly lost: boolean;
}

export interface HoldOptions {
  /** Takes it from whoever holds it; who that is was said before. */
  readonly seize: boolean;
  /** Asked while waiting for it: true when waiting is in vain, and the answer is `locked` at once. */
  readonly stopWaiting: () => boolean;
  /** Called after a change that came past us (a hand, a checkout) became part of the graph. */
  readonly onHandEdit: () => void;
  /** Called once when it turns out to be another's. */
  readonly onLost: () => void;
}

/** A way to keep the graph of a project. Errors of opening: `not_initialized`, `locked`. */
export interface StoreKind {
  /** Makes an empty graph; one that is there stays. */
  initialise(): Promise<{ folder: string; created: boolean }>;
  /** For looks and single changes; each change waits for the other writers, until `stopWaiting` says that it is in vain. */
  open(stopWaiting: () => boolean): Promise<GraphStore>;
  hold(options: HoldOptions): Promise<ExclusiveGraph>;
  /** Who holds it now, in words; undefined when nobody does. */
  holder(): Promise<string | undefined>;
  /** What can be looked at and repaired where it is kept. */
  doctor(): Promise<GraphDoctor>;
}
