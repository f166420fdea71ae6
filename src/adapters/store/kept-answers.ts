import { WORK_LIMITS } from '#kernel/limits/work.js';
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

/** Latest answers of this process, at most `most`. */
export class KeptAnswers implements AnsweredRequests {
  private readonly answered = new Map<string, Answered>();
  /**
   * Ids in a ring, the oldest at `next`. The oldest key of the map would be as good, but each look for it passes all
   * keys that were deleted since the map was last built anew: thousands.
   */
  private readonly ids: string[] = [];
  private next = 0;
  private readonly most: number;

  constructor(most: number = WORK_LIMITS.answeredMost) {
    this.most = most;
  }

  of(requestId: string): Answered | undefined {
    return this.answered.get(requestId);
  }

  keep(requestId: string, answered: Answered): void {
    if (!this.answered.has(requestId)) {
      const oldest = this.ids[this.next];
      if (oldest !== undefined) this.answered.delete(oldest);
      this.ids[this.next] = requestId;
      this.next = (this.next + 1) % this.most;
    }
    this.answered.set(requestId, answered);
  }
}
