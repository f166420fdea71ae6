/** Work that somebody waits for, so that whoever ends can finish it first. */
export class UnderWay {
  private readonly work = new Set<Promise<unknown>>();

  /** The same promise, counted until it has ended. */
  count<Result>(work: Promise<Result>): Promise<Result> {
    this.work.add(work);
    const over = () => void this.work.delete(work);
    work.then(over, over);
    return work;
  }

  /** Resolves when nothing is under way, or after some milliseconds. */
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
