import { waitAtMost } from '#kernel/wait-at-most.js';

/** Pending work that callers wait for; a stopping service waits for it. */
export class UnderWay {
  private readonly work = new Set<Promise<unknown>>();

  /** Registers a promise until it has settled, and returns it. */
  count<Result>(work: Promise<Result>): Promise<Result> {
    this.work.add(work);
    const over = () => void this.work.delete(work);
    work.then(over, over);
    return work;
  }

  /** Resolves when no work is pending, or after the timeout. */
  async ended(milliseconds: number): Promise<void> {
    await waitAtMost(milliseconds, this.allEnded());
  }

  private async allEnded(): Promise<void> {
    while (this.work.size > 0) await Promise.allSettled(this.work);
  }
}
