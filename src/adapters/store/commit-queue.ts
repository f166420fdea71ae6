/**
 * Shared by all stores of the graph: commit rounds, answered requests, the state in memory.
 * @packageDocumentation
 */
import type { Plan } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import type { RequestMark } from '#kernel/request.js';
import type { Commit } from '#ports/graph-store.js';

/** A change that waits for its turn, and whoever waits for it. */
export interface Queued {
  readonly decide: (view: GraphView) => Plan<unknown>;
  readonly request: RequestMark;
  readonly resolve: (commit: Commit<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/** Changes in the order they came, taken in rounds: those that come in together share one write. */
export class CommitQueue {
  private queue: Queued[] = [];
  private pumping: Promise<void> | undefined;
  private readonly write: (round: readonly Queued[]) => Promise<void>;
  private readonly isWanted: () => boolean;

  /** `write` answers everybody of a round, and never throws; `isWanted` asks for a round though nothing is queued. */
  constructor(write: (round: readonly Queued[]) => Promise<void>, isWanted = () => false) {
    this.write = write;
    this.isWanted = isWanted;
  }

  commit<Result>(decide: (view: GraphView) => Plan<Result>, request: RequestMark): Promise<Commit<Result>> {
    return new Promise<Commit<Result>>((resolve, reject) => {
      this.queue.push({ decide, request, resolve: resolve as (commit: Commit<unknown>) => void, reject });
      this.wake();
    });
  }

  /** Begins with the next round, unless one is under way. */
  wake(): void {
    this.pumping ??= this.pump();
  }

  get busy(): boolean {
    return this.pumping !== undefined;
  }

  /** Resolves once nothing is queued any more, and nothing wanted. */
  async idle(): Promise<void> {
    await this.pumping;
  }

  /** Takes whatever is queued, again and again, until nothing is. Whoever commits without a pause leaves the others theirs. */
  private async pump(): Promise<void> {
    do {
      await new Promise((resolve) => setImmediate(resolve));
      const round = this.queue;
      this.queue = [];
      await this.write(round);
    } while (this.queue.length > 0 || this.isWanted());
    this.pumping = undefined;
  }
}
