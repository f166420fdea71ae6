import type { Clock } from '#kernel/clock.js';
import { assert } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { LIMITS } from '#kernel/limits.js';
import { type Answered, type AnsweredRequests, KeptAnswers } from '../kept-answers.js';
import type { answeredSince } from './answered-lines.js';
import { bytesFrom } from './log-file.js';

/** The answers that the log keeps as well: whoever answered may have died before saying so. */
export class Answers implements AnsweredRequests {
  private readonly paths: GraphLayout;
  private readonly clock: Clock;
  private readonly latest = new KeptAnswers();
  private search: typeof answeredSince | undefined;

  constructor(paths: GraphLayout, clock: Clock) {
    this.paths = paths;
    this.clock = clock;
  }

  /** Loads what looks into the log: few commands ask what was asked before. */
  async prepare(): Promise<void> {
    this.search ??= (await import('./answered-lines.js')).answeredSince;
  }

  of(requestId: string, lookAgain: boolean): Answered | undefined {
    return this.latest.of(requestId) ?? (lookAgain ? this.inLog(requestId)[0]?.[1] : undefined);
  }

  keep(requestId: string, answered: Answered): void {
    this.latest.keep(requestId, answered);
  }

  /** Finds what the log says was answered lately: whoever answered may have been killed before saying so. */
  async recall(): Promise<void> {
    await this.prepare();
    for (const [id, answered] of this.inLog().slice(-LIMITS.answeredMost)) this.keep(id, answered);
  }

  private inLog(requestId?: string): [string, Answered][] {
    assert(this.search, 'whoever looks into the log has prepared for it');
    return this.search(this.paths, bytesFrom(this.paths.log, 0), this.clock.now() - LIMITS.answeredMs, requestId).map(
      ({ entry, request: { id, input, result } }) => [
        id,
        { commit: { seq: entry.seq, entries: [entry], result }, input },
      ],
    );
  }
}
