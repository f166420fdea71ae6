/** Runs steps one at a time, in the order in which they are added. A failed step does not affect later ones. */
export class StepQueue {
  private readonly patienceMs: number | undefined;
  private last: Promise<unknown> = Promise.resolve();

  /** `patienceMs`: time after which a step no longer delays the next; undefined if steps must not overlap. */
  constructor(patienceMs: number | undefined) {
    this.patienceMs = patienceMs;
  }

  run<Result>(step: () => Promise<Result>): Promise<Result> {
    const begin = this.last;
    const result = begin.then(step);
    const isOver = result.catch(() => undefined); // reported to its caller
    this.last = begin.then(() => this.orLate(isOver));
    return result;
  }

  private async orLate(isOver: Promise<unknown>): Promise<void> {
    if (this.patienceMs === undefined) {
      await isOver;
      return;
    }
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise((resolve) => {
      timer = setTimeout(resolve, this.patienceMs).unref();
    });
    await Promise.race([isOver, late]);
    clearTimeout(timer);
  }
}
