import type { EntryLine } from '#core/graph/entries.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { QueuedCommit } from '../commit-queue.js';
import { decideRound } from '../commit-round.js';
import type { Answered, AnsweredRequests } from '../kept-answers.js';
import type { LazyGraph } from '../lazy-graph.js';
import type { DiskState } from './disk-state.js';
import type { LogAppender } from './log-appender.js';

/** Decided changes that reach the log with one write. */
interface Batch {
  /** Graph that the changes were decided on. */
  readonly graph: LazyGraph;
  readonly commits: QueuedCommit[];
  readonly lines: EntryLine[];
  /** Functions that settle the changes. */
  readonly answers: (() => void)[];
  /** Answers to its requests, by request id. No caller may see them before they are on disk. */
  readonly answered: Map<string, Answered>;
  /** `seq` of the last entry before it that changed the retired ids. */
  readonly retiredSeq: number;
  /** Id of its last entry. */
  lastId: string | undefined;
  /** Whether it retires ids: the archive has to follow before anything else is decided. */
  isRetiring: boolean;
}

/** Store that the rounds belong to. Holds the write lock. */
export interface RoundOwner {
  /** Whether other processes may have recorded answers since the last check. */
  readonly mayBeOlder: boolean;
  /** Called before the first change to a graph of another tool is decided. */
  backUp(): void;
  /** Errors: `locked` if the lock was lost. */
  mustOwn(): void;
  /** Whether something must be done between two batches. */
  isWanted(): boolean;
  /** Called once a batch is on disk, before its answers. */
  stored(isRetiring: boolean): Promise<void>;
  /** Called after the answers of a batch. */
  answered(): void;
  /** Called if a batch could not be written. */
  failed(error: unknown): void;
  /** Queues changes again, before all others. */
  again(commits: readonly QueuedCommit[]): void;
}

interface RoundWriterParts {
  readonly state: DiskState;
  readonly clock: Clock;
  readonly answers: AnsweredRequests;
  readonly appender: LogAppender;
  readonly owner: RoundOwner;
}

/**
 * Decides rounds and brings them to the log. While one batch of them is being flushed, the next one is decided, but not
 * written: if the flush fails or the files were changed by hand or by git, its changes are decided again. A slow disk
 * thus gets larger batches, and the processor does not wait for it.
 */
export class RoundWriter {
  private readonly parts: RoundWriterParts;
  /** Batch on its way to the disk, until its answers were given. */
  private current: Batch | undefined;
  /** Batch that is decided meanwhile. */
  private next: Batch | undefined;
  private over: Promise<void> = Promise.resolve();
  /** Whether the last batch could not be written. */
  hasFailed = false;

  constructor(parts: RoundWriterParts) {
    this.parts = parts;
  }

  get busy(): boolean {
    return this.current !== undefined;
  }

  /** Whether a round may be decided before the current batch is on disk. */
  get mayDecideAhead(): boolean {
    const { state, owner } = this.parts;
    return (
      this.current !== undefined && !this.current.isRetiring && !state.isOdd && !state.isAwaited && !owner.isWanted()
    );
  }

  /** Resolves once all that was decided is settled. */
  async settled(): Promise<void> {
    do while (this.current) await this.over;
    while (await this.parts.state.waitersFirst());
  }

  /** Decides a round. It is written at once, or with all that is decided until the current batch is on disk. */
  decide(round: readonly QueuedCommit[]): void {
    const { state, clock, owner } = this.parts;
    if (state.loaded.log.later !== undefined) throw new TroupeError('newer_format');
    const { pending } = state.loaded;
    if (pending[0]?.op === 'adopt') owner.backUp();
    if (this.current) state.runAhead();
    const batch = this.next ?? this.newBatch();
    this.next = batch;
    try {
      const { lines, lastId, answer } = decideRound(round, {
        graph: batch.graph,
        lastId: batch.lastId,
        now: clock.now(),
        pending,
        answers: this.answersBefore(),
        inFlight: batch.answered,
        mayBeOlder: owner.mayBeOlder,
      });
      if (pending.length > 0) state.loaded = { ...state.loaded, pending: [] };
      for (const line of lines) batch.lines.push(line);
      for (const commit of round) batch.commits.push(commit);
      batch.answers.push(answer);
      batch.lastId = lastId;
    } catch (error) {
      this.takeBack(); // the graph in memory may have a part of the round
      throw error;
    }
    if (!this.current) this.start(batch);
  }

  private newBatch(): Batch {
    const { graph, position } = this.parts.state;
    const { retiredSeq } = graph;
    const none = { commits: [], lines: [], answers: [], answered: new Map() };
    return { ...none, graph, retiredSeq, lastId: position.lastId, isRetiring: false };
  }

  /** Answers of earlier requests, with those that are on their way to the disk. */
  private answersBefore(): AnsweredRequests {
    const { answers } = this.parts;
    const { current } = this;
    if (!current) return answers;
    return {
      of: (id, lookAgain) => current.answered.get(id) ?? answers.of(id, lookAgain),
      keep: (id, answered) => answers.keep(id, answered),
    };
  }

  private start(batch: Batch): void {
    this.next = undefined;
    this.current = batch;
    batch.isRetiring = batch.graph.retiredSeq !== batch.retiredSeq;
    this.parts.state.caughtUp();
    this.over = this.write(batch).then(() => this.goOn());
  }

  private async write(batch: Batch): Promise<void> {
    const { owner } = this.parts;
    try {
      await this.append(batch);
      try {
        if (batch.lines.length > 0) await owner.stored(batch.isRetiring);
      } finally {
        for (const answer of batch.answers) answer();
      }
      this.hasFailed = false;
      owner.answered();
    } catch (error) {
      this.hasFailed = true;
      this.takeBack(); // it was decided on what is lost
      for (const commit of batch.commits) commit.reject(error);
      owner.failed(error);
    }
  }

  private async append(batch: Batch): Promise<void> {
    const { state, owner, appender } = this.parts;
    const data = Buffer.from(batch.lines.map(({ line }) => line).join(''));
    try {
      owner.mustOwn();
      if (data.length > 0 && state.held.away) state.bringBack();
      if (data.length > 0) await state.append(appender, data, batch.lastId);
    } catch (error) {
      state.reload();
      throw error;
    }
  }

  /** Writes what was decided meanwhile, unless it has to be decided again. */
  private async goOn(): Promise<void> {
    // Readers and followers that waited for the flush go first: the log has nothing now that is not on disk.
    if (this.next) await new Promise((resolve) => setImmediate(resolve));
    this.current = undefined;
    if (!this.next) return;
    const { state, owner } = this.parts;
    if (state.isUntouched && !owner.isWanted()) this.start(this.next);
    else this.takeBack();
  }

  /** Discards the batch that was decided ahead, and has its changes decided again. */
  private takeBack(): void {
    const { state, owner } = this.parts;
    const batch = this.next;
    this.next = undefined;
    if (!batch) return;
    try {
      if (batch.graph === state.graph) state.reload(); // else that has been done
      owner.again(batch.commits);
    } catch (error) {
      for (const commit of batch.commits) commit.reject(error);
    }
  }
}
