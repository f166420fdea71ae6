/** Runs all steps in order, also after one of them failed. Errors: that of the first step that failed. */
export async function runAll(steps: readonly (() => unknown)[]): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/** Runs steps one at a time, in the order in which they are added. A failed step does not affect later ones. */
export class StepQueue {
  private last: Promise<unknown> = Promise.resolve();

  run<Result>(step: () => Promise<Result>): Promise<Result> {
    const result = this.last.then(step);
    this.last = result.catch(() => undefined); // reported to its caller
    return result;
  }
}
