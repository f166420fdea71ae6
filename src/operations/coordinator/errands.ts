import type { ErrandAnswer, ErrandFacts, ErrandFailure, ErrandKind } from '#core/coordinator/errand.js';

/**
 * What a tick asks for and that takes its time: a model, a merge, a mail. It runs without a lock and beside the ticks; its
 * answer is a fact of a later one, which commits what follows under the fence. An errand is known by its key, so that no
 * tick asks for it twice. Nothing of it is kept over a restart: facts on disk make the next life ask again.
 */
export class Errands {
  private readonly wake: () => void;
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly answers = new Map<string, ErrandAnswer>();
  private readonly ending = new AbortController();

  constructor(wake: () => void) {
    this.wake = wake;
  }

  /** Begins it, unless it is under way or answered. `work` has to end soon after the signal; what it throws is an answer. */
  start<Answer extends ErrandAnswer>(
    kind: ErrandKind<Answer>,
    key: string,
    work: (signal: AbortSignal) => Promise<Answer | ErrandFailure>,
  ): void {
    if (!kind.owns(key)) throw new Error(`${key} is not an errand of this kind`);
    if (this.underWay.has(key) || this.answers.has(key)) return;
    const done = work(this.ending.signal)
      .catch((error): ErrandAnswer | ErrandFailure => ({ of: 'error', text: (error as Error).message }))
      .then((answer) => {
        this.underWay.delete(key);
        this.answers.set(key, answer);
        this.wake();
      });
    this.underWay.set(key, done);
  }

  /** Begins what brings no answer; closing waits for it all the same. */
  aside(key: string, work: () => Promise<void>, failed: (error: unknown) => void): void {
    if (this.underWay.has(key)) return;
    const done = work()
      .catch(failed)
      .then(() => {
        this.underWay.delete(key);
      });
    this.underWay.set(key, done);
  }

  /** Resolves when the first of these is over; at once when one of them is not under way. */
  async firstOf(keys: readonly string[]): Promise<void> {
    await Promise.race(keys.map((key) => this.underWay.get(key)));
  }

  /** As they are now: a later answer is in a later picture. */
  facts(): ErrandFacts {
    return { underWay: new Set(this.underWay.keys()), answers: new Map(this.answers) };
  }

  /** What follows from the answer is committed. */
  forget(key: string): void {
    this.answers.delete(key);
  }

  /** Tells all that are under way to end, and waits for them. */
  async close(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.underWay.values());
  }
}
