import type { ErrandAnswer, ErrandFacts, ErrandFailure, ErrandKind } from '#core/coordinator/errand.js';

/**
 * Slow work requested by ticks: a model call, a merge, a mail. An errand runs without a lock beside the ticks; its
 * answer is a fact of a later tick, which commits the result under the fence. The key identifies an errand and prevents
 * starting it twice. Nothing survives a restart: facts on disk cause the next service to ask again.
 */
export class Errands {
  private readonly wake: () => void;
  private readonly underWay = new Map<string, Promise<void>>();
  private readonly answers = new Map<string, ErrandAnswer>();
  private readonly ending = new AbortController();

  constructor(wake: () => void) {
    this.wake = wake;
  }

  /**
   * Starts an errand unless it is under way or answered. `work` must end soon after the signal; an error is an answer.
   */
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

  /** Starts work without an answer; closing waits for it too. */
  startUnanswered(key: string, work: () => Promise<void>, failed: (error: unknown) => void): void {
    if (this.underWay.has(key)) return;
    const done = work()
      .catch(failed)
      .then(() => {
        this.underWay.delete(key);
      });
    this.underWay.set(key, done);
  }

  /** Resolves when the first of these is over; at once if one of them is not under way. */
  async firstOf(keys: readonly string[]): Promise<void> {
    await Promise.race(keys.map((key) => this.underWay.get(key)));
  }

  /** Copy of the present state; later answers do not appear in it. */
  facts(): ErrandFacts {
    return { underWay: new Set(this.underWay.keys()), answers: new Map(this.answers) };
  }

  /** Forgets an answer whose consequences are committed. */
  forget(key: string): void {
    this.answers.delete(key);
  }

  /** Aborts all errands under way and waits for them. */
  async close(): Promise<void> {
    this.ending.abort();
    await Promise.all(this.underWay.values());
  }
}
