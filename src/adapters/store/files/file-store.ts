/**
 * The graph as two text files: log, snapshot, torn ends, hand edits, merges, the checks of `doctor`.
 * @packageDocumentation
 */
import { existsSync } from 'node:fs';
import type { ArchiveQuery } from '#core/graph/archived.js';
import type { Entry, Plan } from '#core/graph/event.js';
import { graphText } from '#core/graph/line.js';
import type { GraphState } from '#core/graph/state.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import type { Clock } from '#kernel/clock.js';
import { assert, TroupeError } from '#kernel/errors.js';
import { type GraphLayout, graphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { RequestMark } from '#kernel/request.js';
import type { Commit, ExclusiveGraph, GraphFiles, LogRotation, StoreProblem } from '#ports/graph-store.js';
import type { ProcessLock } from '#ports/processes.js';
import { ChangeSignal } from '../change-signal.js';
import { CommitQueue, type QueuedCommit } from '../commit-queue.js';
import type { PictureLines } from '../picture-lines.js';
import { errorText, refuseLinks, type StoreDisk, SYSTEM_DISK } from './disk.js';
import { DiskState } from './disk-state.js';
import { followedLog, type StoreLog } from './followed-log.js';
import { LogCloser } from './log-closer.js';
import { setTornEndAside } from './log-file.js';
import { baseEvent } from './log-pieces.js';
import type { LogReader } from './log-reader.js';
import type { FileStoreOptions } from './options.js';
import type { keptOutline } from './outline-file.js';
import { holdsGraph } from './paths.js';
import { backUpForeignGraph } from './reconciliation.js';
import type { Closing } from './rotation.js';
import type { RoundOwner, RoundWriter } from './round-writer.js';
import { inNextLog } from './store-load.js';
import { acquireGraph, letGitFinish, WriteLock } from './write-lock.js';
import { loadWritingParts, type WritingParts } from './writing-parts.js';

const HAND_EDIT_POLL_MS = 1_000;
const NOTHING = () => ({ events: [], result: undefined });

/**
 * Graph store in two text files. Every change is first appended to `operations.jsonl`; `graph.jsonl` is derived from it
 * for people, git and other tools. Commits that arrive together share one write.
 */
export class FileStore implements ExclusiveGraph, GraphFiles {
  readonly epoch = 0;
  readonly paths: GraphLayout;
  readonly files: GraphFiles = this;
  readonly clock: Clock;
  private readonly lock: ProcessLock;
  private readonly hold: boolean;
  private readonly stopWaiting: (() => boolean) | undefined;
  private readonly onHandEdit: (() => void) | undefined;
  private readonly own: WriteLock;
  private readonly disk: StoreDisk;
  private readonly closer: LogCloser;
  private readonly state: DiskState;
  private readonly rounds: CommitQueue;
  /** Parts that write, loaded with the first commit because most commands only read. */
  private rules: WritingParts | undefined;
  private readonly news = new ChangeSignal();
  /** Loaded with the first read of history or call of `follow`. */
  private pastReader: LogReader | undefined;
  private handTimer: NodeJS.Timeout | undefined;
  private closed = false;

  private constructor(options: FileStoreOptions, lock: ProcessLock, held: StoreLog, outlines?: typeof keptOutline) {
    this.paths = graphLayout(options.folder);
    this.clock = options.clock;
    this.hold = options.hold;
    this.stopWaiting = options.stopWaiting;
    this.onHandEdit = options.onHandEdit;
    const onLost = () => {
      clearInterval(this.handTimer);
      if (this.hold && !this.closed) options.onLost?.();
    };
    this.own = new WriteLock(this.paths, lock, onLost);
    this.disk = options.disk ?? SYSTEM_DISK;
    this.lock = lock;
    const isOwn = () => lock.isOwn();
    this.state = new DiskState(this.paths, { held, clock: options.clock, disk: this.disk, isOwn, outlines });
    const own = {
      open: (from: number) => this.openNext(from),
      adopt: (rotated: LogRotation, lines: PictureLines) => this.adoptLog(rotated, lines),
      failed: (error: unknown) =>
        this.state.note('rotation', `the log could not be closed: ${errorText(error)}`, this.paths.log),
      logEnd: () => this.state.position.logEnd,
      mustOwn: () => this.own.mustOwn(),
      appending: () => this.state.appending(),
    };
    this.closer = new LogCloser(this.paths, own, options.logBytes);
    this.rounds = new CommitQueue(
      (round) => this.take(round),
      () => this.closer.asked,
    );
  }

  /** Opens the graph of a project. Errors: `not_initialized` if there is none, `locked` if another process holds it. */
  static async open(options: FileStoreOptions): Promise<FileStore> {
    const paths = graphLayout(options.folder);
    refuseLinks(paths);
    if (!holdsGraph(paths))
      throw new TroupeError('not_initialized', { what: `There is no task graph in ${options.folder}.` });
    const lock = options.processes.lock(paths.lock, options.clock);
    if (options.hold) await (options.seize ? lock.seize() : acquireGraph(paths, lock, options.stopWaiting));
    const held = options.hold
      ? new (await import('./held-log.js')).HeldLog(paths, options.disk ?? SYSTEM_DISK) // few processes hold a graph
      : followedLog(paths);
    // Only large graphs have an outline, and a process that holds the graph needs all of it.
    const beside = options.hold || !existsSync(paths.outline) ? undefined : await import('./outline-file.js');
    const store = new FileStore(options, lock, held, beside?.keptOutline);
    if (options.hold) {
      store.repair();
      await (await store.loadRules()).answers.recall();
      if (store.state.loaded.pending.length > 0) await store.commit(NOTHING);
      store.state.graph.whole.runnable(); // computed once here, not for every view
      store.watchHands();
    }
    return store;
  }

  get lost(): boolean {
    return this.hold && this.own.lost;
  }

  async view(at?: number | string): Promise<GraphView> {
    await this.state.flushed();
    if (!this.hold) {
      this.state.refresh();
      await this.writeDownFound();
    }
    const present = this.state.view();
    if (at === undefined) return present;
    const reader = await this.reader();
    const seq = reader.seqAt(at);
    return seq >= present.seq ? present : reader.graphAt(seq);
  }

  commit<Result>(decide: (view: GraphView) => Plan<Result>, request: RequestMark = {}): Promise<Commit<Result>> {
    if (this.closed) return Promise.reject(this.isClosed());
    return this.rounds.commit(decide, request);
  }

  async exclusively<Result>(work: () => Result): Promise<Result> {
    if (this.closed) throw this.isClosed();
    this.own.mustOwn();
    return work();
  }

  async *entries(from: number, to = Number.POSITIVE_INFINITY): AsyncIterable<Entry> {
    yield* (await this.reader()).entries(from, to);
  }

  async *follow(from: number, signal: AbortSignal): AsyncIterable<Entry> {
    yield* (await this.reader()).follow(from, signal, !this.hold, () => this.closed);
  }

  private async reader(): Promise<LogReader> {
    const { LogReader } = await import('./log-reader.js');
    this.pastReader ??= new LogReader(
      () => this.state.held.paths,
      this.news,
      () => this.state.flushed(),
    );
    return this.pastReader;
  }

  async archived(query: ArchiveQuery): Promise<readonly Task[]> {
    const { archivedMatches } = await import('./archive-file.js');
    return archivedMatches(this.paths, await this.view(), query);
  }

  async rotate(): Promise<LogRotation | undefined> {
    if (this.closed) throw this.isClosed();
    return new Promise((resolve, reject) => {
      this.closer.ask({ resolve, reject });
      this.rounds.wake();
    });
  }

  async text(view: GraphView): Promise<string> {
    return graphText(view.nodes(), this.state.loaded.comments, this.state.loaded.unreadableLines);
  }

  /**
   * Records hand edits and merged branches with the next command, even a read-only one. If writing is impossible or
   * another writer is active, the changes are only shown. A graph of another tool is adopted with the first change.
   */
  private async writeDownFound(): Promise<void> {
    const [first] = this.state.loaded.pending;
    if (!first || first.op === 'adopt') return;
    try {
      await this.lock.acquire(() => true);
      await this.commit(NOTHING);
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
    }
  }

  async snapshot(): Promise<number> {
    for (;;) {
      await this.commit(NOTHING);
      await this.idle(); // the lock is released only after the answer
      if (!this.hold) await this.lock.acquire();
      try {
        this.state.refresh();
        if (this.state.held.away) this.bringBack();
        // Edited again in between: a snapshot must not contain changes that are missing from the log.
        if (this.state.unread || this.state.loaded.pending.length > 0) continue;
        await this.state.snapshots.write();
        return this.state.graph.seq;
      } finally {
        if (!this.hold) this.lock.release();
      }
    }
  }

  async health(): Promise<readonly StoreProblem[]> {
    if (!this.hold) this.state.refresh();
    return this.state.loaded.problems;
  }

  async close(): Promise<void> {
    if (!(await this.end())) return;
    try {
      if (this.state.held.away && this.lock.isOwn()) this.bringBack();
      if (this.lock.held) await this.state.snapshots.finish();
      // Runs continue without a service: the next one must find their tasks, even if git replaces the files meanwhile.
      if (this.lock.isOwn() && this.state.graph.present.count('in-progress') === 0) this.state.held.release();
    } finally {
      if (this.lock.held) this.lock.release();
    }
    this.news.notify();
  }

  async retire(): Promise<void> {
    this.own.mustOwn();
    const { setGraphAside } = await import('./set-aside.js');
    if (!(await this.end())) throw this.isClosed();
    setGraphAside(this.paths, this.clock.now());
    this.lock.release();
    this.news.notify();
  }

  /** Waits for work in progress. Returns false if the store was closed before. */
  private async end(): Promise<boolean> {
    if (this.closed) return false;
    this.closed = true;
    clearInterval(this.handTimer);
    await this.idle();
    await this.closer.idle();
    await this.rules?.writer.settled();
    this.rules?.appender.close();
    return true;
  }

  /** Has a round decided. A command waits until it is on disk, because it has the lock only for this round. */
  private async take(round: readonly QueuedCommit[]): Promise<void> {
    const { answers, writer } = await this.loadRules();
    try {
      if (!round.every(({ request }) => request.fresh)) await answers.prepare();
      if (!writer.mayDecideAhead) await this.makeReady(writer);
      writer.decide(round);
      if (this.hold) return;
      await writer.settled();
      if (writer.hasFailed) return;
      await this.closer.idle();
      await this.state.snapshots.afterCommit(() => this.lock.contended());
    } catch (error) {
      for (const queued of round) queued.reject(error);
      this.closer.refuse(error);
    } finally {
      if (!this.hold) this.lock.release();
    }
  }

  /** Reads what others changed, before a round is decided on it. */
  private async makeReady(writer: RoundWriter): Promise<void> {
    await writer.settled();
    if (!this.hold) await acquireGraph(this.paths, this.lock, this.stopWaiting);
    this.repair();
    await letGitFinish(
      this.paths.folder,
      () => this.state.loaded.pending.length > 0 || this.state.held.away,
      () => this.repair(),
    );
    if (this.state.held.away && (this.closer.asked || !existsSync(this.paths.log))) this.bringBack();
  }

  private async loadRules(): Promise<WritingParts> {
    if (this.rules) return this.rules;
    const { paths, clock, disk, state } = this;
    const loaded = await loadWritingParts({ paths, clock, disk, state, owner: this.roundOwner() });
    this.rules ??= loaded;
    return this.rules;
  }

  private roundOwner(): RoundOwner {
    let wasAway = this.state.held.away;
    return {
      mayBeOlder: !this.hold,
      backUp: () => backUpForeignGraph(this.paths, this.clock.now()),
      mustOwn: () => this.own.mustOwn(),
      isWanted: () => this.closer.asked,
      stored: async (isRetiring) => {
        this.news.notify();
        // Loaded lazily: tasks are seldom archived.
        if (isRetiring) (await import('./archive-file.js')).followArchive(this.paths, this.state);
      },
      answered: () => {
        if (this.state.unread)
          this.commit(NOTHING).catch(() => undefined); // close() was faster
        else this.closer.closeIfDue();
        if (this.state.held.away !== wasAway) this.onHandEdit?.();
        wasAway = this.state.held.away;
        if (this.hold) this.state.snapshots.schedule();
      },
      failed: (error) => this.closer.refuse(error),
      again: (commits) => this.rounds.again(commits),
    };
  }

  /** Resolves once no change is queued or being written. */
  private async idle(): Promise<void> {
    do {
      await this.rounds.idle();
      await this.rules?.writer.settled();
    } while (this.busy);
  }

  private get busy(): boolean {
    return this.rounds.busy || this.rules?.writer.busy === true;
  }

  /** Replaces the log that git put in place with ours. */
  private bringBack(): void {
    this.own.mustOwn();
    this.state.bringBack();
  }

  /** Appends the event that the next log starts with, and captures the graph before it. */
  private async openNext(from: number): Promise<Closing | undefined> {
    if (from > 1 && from === this.state.graph.seq) return undefined; // no entry after its base line
    let picture: GraphState | undefined;
    const decide = () => {
      picture = this.state.graph.whole.freeze();
      return { events: [baseEvent(from, picture.seq)], result: undefined };
    };
    const { writer } = await this.loadRules();
    const { entries } = await new Promise<Commit<unknown>>((resolve, reject) => {
      writer.decide([{ decide, request: {}, resolve, reject }]);
    });
    assert(picture, 'a decision without a request is always asked');
    return { picture, lastId: entries[0]?.prev, since: this.clock.now() - WORK_LIMITS.answeredMs, from };
  }

  private async adoptLog({ before, after }: LogRotation, lines: PictureLines): Promise<void> {
    this.state.position = inNextLog(this.state.position, this.paths.log, before - after);
    this.state.held.keep();
    const isAsLogged = this.state.loaded.pending.length === 0; // else it has an unlogged hand edit
    await this.state.snapshots.write(isAsLogged ? lines : undefined);
  }

  private isClosed(): TroupeError {
    return this.lost ? this.own.error() : new TroupeError('internal', { what: 'The store is closed.' });
  }

  /** Requires the lock. Reads changes of other writers and sets a torn end aside. */
  private repair(): void {
    this.state.refresh();
    if (this.state.held.away) return;
    const { identity, logEnd } = this.state.position;
    if (this.state.loaded.log.size > logEnd) this.own.mustOwn();
    const file = setTornEndAside(
      this.disk,
      { file: this.paths.log, identity, size: this.state.loaded.log.size },
      logEnd,
      { folder: this.paths.lostAndFound, name: `operations-${logEnd}-${this.clock.now()}.part` },
    );
    if (file) {
      this.state.note('torn', `the log ended in the middle of a line; the rest was moved to ${file}`, this.paths.log);
    }
  }

  /** Polls, so that the service notices hand edits and the loss of its lock without a request. */
  private watchHands(): void {
    this.handTimer = setInterval(() => {
      if (!this.own.isOwn()) return this.own.markLost();
      if (!this.state.isStale || this.busy || this.closed) return;
      this.commit(NOTHING).then(
        () => this.onHandEdit?.(),
        () => undefined, // the next poll retries
      );
    }, HAND_EDIT_POLL_MS);
    this.handTimer.unref();
  }
}
