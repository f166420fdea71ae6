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
    let timer: NodeJS.Timeout | undefined;
    let late = false;
    const patience = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        late = true;
        resolve();
      }, milliseconds);
    });
    while (this.work.size > 0 && !late) await Promise.race([Promise.allSettled(this.work), patience]);
    clearTimeout(timer);
  }
}
