/**
 * Shared by all stores of the graph: commit rounds, answered requests, the state in memory; graphs kept before a replay.
 * @packageDocumentation
 */
import type { Plan } from '#core/graph/event.js';
import type { GraphView } from '#core/graph/view.js';
import type { RequestMark } from '#kernel/request.js';
import type { Commit } from '#ports/graph-store.js';

/** A queued change with the callbacks of its caller. */
export interface QueuedCommit {
  readonly decide: (view: GraphView) => Plan<unknown>;
  readonly request: RequestMark;
  readonly resolve: (commit: Commit<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/** Queue of changes in arrival order. Changes that arrive together form one round and share one write. */
export class CommitQueue {
  private queue: QueuedCommit[] = [];
  private pumping: Promise<void> | undefined;
  private readonly write: (round: readonly QueuedCommit[]) => Promise<void>;
  private readonly isWanted: () => boolean;

  /**
   * `write` settles every change of a round, now or later, and never throws; the next round begins when it resolves.
   * `isWanted`: run a round even if the queue is empty.
   */
  constructor(write: (round: readonly QueuedCommit[]) => Promise<void>, isWanted = () => false) {
    this.write = write;
    this.isWanted = isWanted;
  }

  commit<Result>(decide: (view: GraphView) => Plan<Result>, request: RequestMark): Promise<Commit<Result>> {
    return new Promise<Commit<Result>>((resolve, reject) => {
      this.queue.push({ decide, request, resolve: resolve as (commit: Commit<unknown>) => void, reject });
      this.wake();
    });
  }

  /** Queues changes again, in their order and before all others. */
  again(commits: readonly QueuedCommit[]): void {
    this.queue.unshift(...commits);
    this.wake();
  }

  /** Starts the next round unless one is in progress. */
  wake(): void {
    this.pumping ??= this.pump();
  }

  get busy(): boolean {
    return this.pumping !== undefined;
  }

  /** Resolves once the queue is empty and no round is wanted. */
  async idle(): Promise<void> {
    await this.pumping;
  }

  /** Processes rounds until the queue is empty. Yields before each, so committing in a loop starves no other caller. */
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
