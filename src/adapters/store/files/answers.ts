import type { Clock } from '#kernel/clock.js';
import { assert } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { type Answered, type AnsweredRequests, KeptAnswers } from '../kept-answers.js';
import type { answeredSince } from './answered-lines.js';
import { bytesFrom } from './log-file.js';

/** Answers of recent requests, backed by the log: the answering process may have died before it replied. */
export class Answers implements AnsweredRequests {
  private readonly paths: GraphLayout;
  private readonly clock: Clock;
  private readonly latest = new KeptAnswers();
  private search: typeof answeredSince | undefined;

  constructor(paths: GraphLayout, clock: Clock) {
    this.paths = paths;
    this.clock = clock;
  }

  /** Loads the log search. It is loaded lazily because few commands look up earlier requests. */
  async prepare(): Promise<void> {
    this.search ??= (await import('./answered-lines.js')).answeredSince;
  }

  of(requestId: string, lookAgain: boolean): Answered | undefined {
    return this.latest.of(requestId) ?? (lookAgain ? this.inLog(requestId)[0]?.[1] : undefined);
  }

  keep(requestId: string, answered: Answered): void {
    this.latest.keep(requestId, answered);
  }

  /** Loads recent answers from the log: the answering process may have been killed before it replied. */
  async recall(): Promise<void> {
    await this.prepare();
    for (const [id, answered] of this.inLog().slice(-WORK_LIMITS.answeredMost)) this.keep(id, answered);
  }

  private inLog(requestId?: string): [string, Answered][] {
    assert(this.search, 'whoever looks into the log has prepared for it');
    return this.search(
      this.paths,
      bytesFrom(this.paths.log, 0),
      this.clock.now() - WORK_LIMITS.answeredMs,
      requestId,
    ).map(({ entry, request: { id, input, result } }) => [
      id,
      { commit: { seq: entry.seq, entries: [entry], result }, input },
    ]);
  }
}
