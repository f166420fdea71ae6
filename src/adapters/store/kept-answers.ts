import { LIMITS } from '#kernel/limits.js';
import type { Commit } from '#ports/graph-store.js';

/** The answer to a request, and the hash of what was asked where that was kept. */
export interface Answered {
  readonly commit: Commit<unknown>;
  readonly input: string | undefined;
}

/** Requests that were answered before, so that asking twice does not do it twice. */
export interface AnsweredRequests {
  /** `lookAgain`: others may have answered since. */
  of(requestId: string, lookAgain: boolean): Answered | undefined;
  keep(requestId: string, answered: Answered): void;
}

/** The latest answers of this process. */
export class KeptAnswers implements AnsweredRequests {
  private readonly answered = new Map<string, Answered>();

  of(requestId: string): Answered | undefined {
    return this.answered.get(requestId);
  }

  keep(requestId: string, answered: Answered): void {
    this.answered.set(requestId, answered);
    const oldest = this.answered.keys().next();
    if (this.answered.size > LIMITS.answeredMost && !oldest.done) this.answered.delete(oldest.value);
  }
}
