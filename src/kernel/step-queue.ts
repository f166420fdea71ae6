import { waitAtMost } from './wait-at-most.js';

interface Turns {
  /** Maximum number of steps at a time. */
  readonly width: number;
  /** Time in ms after which a step no longer delays others; undefined if steps beyond the width must not overlap. */
  readonly patienceMs: number | undefined;
}

/** Begins steps in the order in which they are added, at most `width` at a time. A failed step does not affect others. */
export class StepQueue {
  private readonly patienceMs: number | undefined;
  private readonly waiting: (() => void)[] = [];
  private free: number;

  constructor({ width, patienceMs }: Turns) {
    this.free = width;
    this.patienceMs = patienceMs;
  }

  async run<Result>(step: () => Promise<Result>): Promise<Result> {
    await this.turn();
    const result = step();
    const isOver = result.catch(() => undefined); // reported to its caller
    const isDue = this.patienceMs === undefined ? isOver : waitAtMost(this.patienceMs, isOver);
    void isDue.then(() => this.pass());
    return await result;
  }

  private async turn(): Promise<void> {
    if (this.free === 0) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.free--;
  }

  /** Passes a turn that is over to the step that waits longest. */
  private pass(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free++;
    else next();
  }
}
