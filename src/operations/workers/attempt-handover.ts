import type { RunFact } from '#core/coordinator/snapshot.js';
import type { RunStatus } from '#core/runs/run-status.js';
import { isRefusal } from '#kernel/errors.js';
import { WORKER_LIMITS } from '#kernel/limits/worker.js';
import { isUnreachable } from '#kernel/out-of-reach.js';
import type { Publication } from '#ports/attempt-trees.js';
import type { AttemptReport } from '#ports/worker-gateway.js';
import type { AttemptAtWork } from './attempt-at-work.js';
import { failureInWords, type HandedOver } from './attempt-places.js';
import { retryTransient } from './insisting.js';
import type { WorkerParts } from './worker-parts.js';

type Parts = Pick<WorkerParts, 'desk' | 'runs' | 'places' | 'orders' | 'masking' | 'pace' | 'tell'> & {
  /** Whether the worker is about to exit, so nothing may wait. */
  isHurried(): boolean;
};

/** Hands over attempts whose runs have ended: output, work and outcome. Unpublished work is never removed. */
export class AttemptHandover {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  /** Never throws. If the end cannot be reported, the attempt is kept for the next process of this worker. */
  async handOver(attempt: AttemptAtWork, { fact, listed }: AttemptReport): Promise<void> {
    const { runs, orders, tell } = this.parts;
    const { run, task } = attempt;
    try {
      if (!attempt.lost) await this.sent(attempt);
      const over = attempt.lost ? await this.parked(attempt, undefined) : await this.published(attempt, fact);
      const answer = attempt.lost ? 'refused' : await this.told(attempt, { fact, listed }, over);
      if (answer === undefined) return; // the database is unreachable and the worker exits
      if (answer === 'refused' && !attempt.lost)
        tell({ event: 'lost', run, task, text: 'its end was refused: it was given to somebody else' });
      await this.clear(attempt, over, answer === 'refused');
      await runs.forget(run, statusOf(fact));
      await orders.forget(run);
    } catch (error) {
      tell({ event: 'kept', run, task, text: failureInWords(error) });
    }
  }

  /** Sends the output. It is less important than the work: if it cannot be sent, the end is reported anyway. */
  private async sent(attempt: AttemptAtWork): Promise<void> {
    try {
      await this.insist(() => attempt.sender.send({ end: true }));
    } catch (error) {
      const text = `not all of its output is sent: ${failureInWords(error)}`;
      this.parts.tell({ event: 'kept', run: attempt.run, task: attempt.task, text });
    }
  }

  /** Publishes the work. A run that never began has none. */
  private async published(attempt: AttemptAtWork, { started }: RunFact): Promise<HandedOver> {
    if (!started) return { publication: undefined, unpublished: undefined };
    const { places } = this.parts;
    let publication: Publication;
    try {
      publication = await this.insist(() => places.publish(attempt.kept.order));
    } catch (error) {
      return await this.parked(attempt, failureInWords(error));
    }
    if (publication.outcome !== 'kept') return { publication, unpublished: undefined };
    return { ...(await this.parked(attempt, publication.text)), publication };
  }

  private async parked(attempt: AttemptAtWork, unpublished: string | undefined): Promise<HandedOver> {
    const { places, tell } = this.parts;
    const { run, task } = attempt;
    try {
      const ref = await places.park(attempt.kept.order);
      if (ref !== undefined) tell({ event: 'parked', run, task, text: `its work is in ${ref}` });
      const more = ref === undefined ? '' : ` Its work is in ${ref}.`;
      const text = unpublished === undefined ? undefined : `${unpublished}${more}`;
      return { publication: undefined, unpublished: text, ...(ref === undefined ? {} : { parked: ref }) };
    } catch (error) {
      const why = `its work stays here, ${failureInWords(error)}`;
      tell({ event: 'kept', run, task, text: why });
      return { publication: undefined, unpublished };
    }
  }

  /** Reports the end. Undefined if the database is unreachable and this process is about to exit. */
  private async told(
    attempt: AttemptAtWork,
    report: AttemptReport,
    { publication, unpublished }: HandedOver,
  ): Promise<'taken' | 'refused' | undefined> {
    const { desk, masking, pace, tell } = this.parts;
    const end = { ...masking.masked({ ...report, unpublished }, { shapes: true }), publication };
    for (let isFirst = true; ; isFirst = false) {
      if (attempt.lost) return 'refused';
      attempt.telling = true;
      try {
        const answer = await desk.end(end);
        if (answer === 'taken')
          tell({ event: 'ended', run: attempt.run, task: attempt.task, text: wordsOf(report.fact, end) });
        return answer;
      } catch (error) {
        attempt.telling = false;
        if (isRefusal(error, 'not_found')) return 'refused';
        const isLast = this.parts.isHurried();
        if (isLast || (isFirst && !isUnreachable(error))) {
          const text = `its end is not told${isLast ? '' : ' yet'}: ${failureInWords(error)}`;
          tell({ event: 'kept', run: attempt.run, task: attempt.task, text });
        }
        if (isLast) return undefined;
      }
      await pace.wait(WORKER_LIMITS.againMs);
    }
  }

  private async clear(attempt: AttemptAtWork, over: HandedOver, refused: boolean): Promise<void> {
    const { places, tell } = this.parts;
    const { run, task } = attempt;
    const isSafe =
      over.unpublished === undefined && (!refused || over.publication !== undefined || over.parked !== undefined);
    const why = isSafe
      ? await places.clear(attempt.kept.order).catch(failureInWords)
      : 'what is not published is not removed';
    if (why !== undefined) tell({ event: 'kept', run, task, text: `its worktree stays: ${why}` });
  }

  private insist<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    const { pace, isHurried } = this.parts;
    return retryTransient(work, { pace, isOver: isHurried });
  }
}

function statusOf({ exit, started }: RunFact): RunStatus {
  if (!started || exit === undefined) return 'dead';
  return exit.code === 0 ? 'done' : 'failed';
}

function wordsOf(
  { exit, started, startError, ended }: RunFact,
  {
    publication,
    unpublished,
  }: { readonly publication: Publication | undefined; readonly unpublished: string | undefined },
): string {
  const how = !started
    ? `did not begin: ${startError ?? 'unknown'}`
    : exit === undefined
      ? 'died'
      : exit.code === 0
        ? 'done'
        : `failed with ${exit.code}`;
  const why = ended === undefined ? '' : ` (told to end: ${ended})`;
  const where = publication?.outcome === 'published' ? `, published as ${publication.branch}` : '';
  return `${how}${why}${where}${unpublished === undefined ? '' : `, not published: ${unpublished}`}`;
}
