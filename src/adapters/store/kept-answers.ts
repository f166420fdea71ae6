import { LIMITS } from '#kernel/limits.js';
import type { Commit } from '#ports/graph-store.js';

/** Answer to a request, and the hash of its input if stored. */
export interface Answered {
  readonly commit: Commit<unknown>;
  readonly input: string | undefined;
}

/** Answers of earlier requests, to make repeated requests idempotent. */
export interface AnsweredRequests {
  /** `lookAgain`: check for answers of other processes. */
  of(requestId: string, lookAgain: boolean): Answered | undefined;
  keep(requestId: string, answered: Answered): void;
}

/** Latest answers of this process. */
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
