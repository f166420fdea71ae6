/**
 * The graph as two text files: log, snapshot, torn ends, hand edits, merges, what `doctor` looks at.
 * @packageDocumentation
 */
import { existsSync, watch } from 'node:fs';
import type { ArchiveQuery } from '#core/graph/archived.js';
import type { withConsequences } from '#core/graph/consequences.js';
import type { Entry, Plan } from '#core/graph/event.js';
import { graphText } from '#core/graph/line.js';
import type { Task } from '#core/graph/task.js';
import { momentOf } from '#core/graph/time.js';
import type { GraphView } from '#core/graph/view.js';
import type { Clock } from '#kernel/clock.js';
import { assert, TroupeError } from '#kernel/errors.js';
import type { RequestMark } from '#kernel/request.js';
import type { Commit, ExclusiveGraph, GraphFiles, LogRotation, Problem } from '#ports/graph-store.js';
import type { ProcessLock } from '#ports/processes.js';
import { archivedTasks, writeArchive } from './archive-file.js';
import { Answers, decideRound, type Queued } from './commit-round.js';
import { errorText, fileIdentity, markOf, refuseLinks, type StoreDisk, SYSTEM_DISK } from './disk.js';
import type { LazyGraph } from './lazy-graph.js';
import { LogCloser } from './log-closer.js';
import { appendLog, logSize, setTornEndAside } from './log-file.js';
import { followLog, News } from './log-follower.js';
import { baseEvent, presentLine, readAcross, seqUntil, stateOfLog } from './log-pieces.js';
import type { FileStoreOptions } from './options.js';
import { holdsGraph, type StorePaths, storePaths } from './paths.js';
import { backUpForeignGraph } from './reconciliation.js';
import type { Closing } from './rotation.js';
import { SnapshotWriter, type Source } from './snapshot-writer.js';
import { advanced, appendedSince, inNextLog, type Loaded, loadStore, type Position, positionOf } from './store-load.js';
import { letGitFinish, WriteLock } from './write-lock.js';

const HAND_EDIT_POLL_MS = 1_000;

/**
 * The graph in two text files: `operations.jsonl`, to which every change is appended before it counts, and
 * `graph.jsonl`, which follows it for people, git and other tools. Commits that come in together share one write.
 */
export class FileStore implements ExclusiveGraph, GraphFiles {
  readonly paths: StorePaths;
  readonly files: GraphFiles = this;
  private readonly clock: Clock;
  private readonly lock: ProcessLock;
  private readonly hold: boolean;
  private readonly stopWaiting: (() => boolean) | undefined;
  private readonly onHandEdit: (() => void) | undefined;
  private readonly own: WriteLock;
  private readonly disk: StoreDisk;
  private readonly closer: LogCloser;
  private loaded: Loaded;
  private snapshots: SnapshotWriter;
  private position: Position;
  private queue: Queued[] = [];
  private pumping: Promise<void> | undefined;
  /** What follows from a change: loaded with the first one, as most commands only look. */
  private rules: { readonly withConsequences: typeof withConsequences } | undefined;
  private readonly answers: Answers;
  private readonly news = new News();
  private handTimer: NodeJS.Timeout | undefined;
  private closed = false;

  private constructor(options: FileStoreOptions, lock: ProcessLock) {
    this.paths = storePaths(options.folder);
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
    this.loaded = loadStore(this.paths);
    this.position = positionOf(this.loaded);
    this.snapshots = new SnapshotWriter(this.paths, options.clock, () => lock.isOwn(), this.disk);
    this.answers = new Answers(this.paths, options.clock);
    const own = {
      open: (from: number) => this.openNext(from),
      adopt: (rotated: LogRotation) => this.adoptLog(rotated),
      failed: (error: unknown) =>
        this.note('rotation', `the log could not be closed: ${errorText(error)}`, this.paths.log),
      logEnd: () => this.position.logEnd,
      mustOwn: () => this.own.mustOwn(),
    };
    this.closer = new LogCloser(this.paths, own, options.logBytes);
    this.snapshots.adopt(this.loaded);
  }

  /** Opens the graph of a project; `not_initialized` when there is none, `locked` when another process holds it. */
  static async open(options: FileStoreOptions): Promise<FileStore> {
    const paths = storePaths(options.folder);
    refuseLinks(paths);
    if (!holdsGraph(paths.folder)) {
      throw new TroupeError('not_initialized', { what: `There is no task graph in ${options.folder}.` });
    }
    const lock = options.processes.lock(paths.lock, options.clock);
    if (options.hold && options.seize) await lock.seize();
    else if (options.hold) await lock.acquire(options.stopWaiting);
    const store = new FileStore(options, lock);
    if (options.hold) {
      store.repair();
      store.answers.recall();
      if (store.loaded.pending.length > 0) await store.commit(() => ({ events: [], result: undefined }));
      store.graph.whole.settle(); // here once, and not for every picture that is handed out
      store.watchHands();
    }
    return store;
  }

  /** Whether the lock that was to be held for life is another's by now: every change is refused. */
  get lost(): boolean {
    return this.hold && this.own.lost;
  }

  private get graph(): LazyGraph {
    return this.loaded.graph;
  }

  private get source(): Source {
    return { graph: this.graph, position: this.position };
  }

  async view(at?: number | string): Promise<GraphView> {
    if (!this.hold) {
      this.refresh();
      await this.writeDownFound();
    }
    const seq = typeof at === 'string' ? seqUntil(this.paths, momentOf(at)) : at;
    if (seq === undefined || seq >= this.graph.seq) return this.graph.view();
    const earlier = stateOfLog(this.paths, presentLine(this.paths), seq);
    if (earlier) return earlier;
    throw new TroupeError('corrupt', {
      what: `What the graph was at ${at} cannot be read: a log segment is missing.`,
      hint: 'Restore the files in .workgraph/log/ from version control or a backup.',
    });
  }

  commit<Result>(decide: (view: GraphView) => Plan<Result>, request: RequestMark = {}): Promise<Commit<Result>> {
    if (this.closed) return Promise.reject(this.isClosed());
    return new Promise<Commit<Result>>((resolve, reject) => {
      this.queue.push({ decide, request, resolve: resolve as (commit: Commit<unknown>) => void, reject });
      this.pumping ??= this.pump();
    });
  }

  async exclusively<Result>(work: () => Result): Promise<Result> {
    if (this.closed) throw this.isClosed();
    this.own.mustOwn();
    return work();
  }

  async *entries(from: number, to = Number.POSITIVE_INFINITY): AsyncIterable<Entry> {
    if (from < 1) yield* (await import('./legacy-log.js')).legacyEntries(this.paths);
    for (const entries of readAcross(this.paths, from, to)) {
      yield* entries;
      await new Promise((resolve) => setImmediate(resolve)); // a piece is large: others get their turn
    }
  }

  async *follow(from: number, signal: AbortSignal): AsyncIterable<Entry> {
    const watcher =
      this.hold || !existsSync(this.paths.log) ? undefined : watch(this.paths.log, () => this.news.tell());
    try {
      const over = () => signal.aborted || this.closed;
      yield* followLog(this.paths, from, () => this.news.next(signal), over);
    } finally {
      watcher?.close();
    }
  }

  async archived(query: ArchiveQuery): Promise<readonly Task[]> {
    const { matchingTasks } = await import('#core/graph/archived.js');
    return matchingTasks(archivedTasks(this.paths, await this.view()), query);
  }

  async rotate(): Promise<LogRotation | undefined> {
    if (this.closed) throw this.isClosed();
    return new Promise((resolve, reject) => {
      this.closer.ask({ resolve, reject });
      this.pumping ??= this.pump();
    });
  }

  async text(view: GraphView): Promise<string> {
    return graphText(view.nodes(), this.loaded.comments, this.loaded.unreadableLines);
  }

  /**
   * What a hand changed and what came together is written down at the next command, also one that only looks. Whoever
   * cannot write, or finds another writer at work, just sees it; a graph of another tool is adopted at the first change.
   */
  private async writeDownFound(): Promise<void> {
    const [first] = this.loaded.pending;
    if (!first || first.op === 'adopt') return;
    try {
      await this.lock.acquire(() => true);
      await this.commit(() => ({ events: [], result: undefined }));
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
    }
  }

  async snapshot(): Promise<number> {
    for (;;) {
      await this.commit(() => ({ events: [], result: undefined }));
      await this.pumping; // it gives the lock back only after it has answered
      if (!this.hold) await this.lock.acquire();
      try {
        this.refresh();
        // Between the two a hand may have been here again: what no log says is in no snapshot of ours.
        if (this.loaded.pending.length > 0) continue;
        await this.snapshots.write(this.graph.whole, this.position);
        return this.graph.seq;
      } finally {
        if (!this.hold) this.lock.release();
      }
    }
  }

  async health(): Promise<readonly Problem[]> {
    if (!this.hold) this.refresh();
    return this.loaded.problems;
  }

  async close(): Promise<void> {
    if (this.closed) return;
    this.closed = true;
    clearInterval(this.handTimer);
    await this.pumping;
    await this.closer.idle();
    if (this.lock.held) {
      await this.snapshots.finish(this.source);
      this.lock.release();
    }
    this.news.tell();
  }

  /** Takes whatever is queued, again and again, until nothing is; each round is one write to the log. */
  private async pump(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.rules ??= await import('#core/graph/consequences.js');
    while (this.queue.length > 0 || this.closer.asked) {
      const round = this.queue;
      this.queue = [];
      try {
        if (!this.hold) await this.lock.acquire(this.stopWaiting);
        this.repair();
        await letGitFinish(
          this.paths.folder,
          () => this.loaded.pending.length > 0,
          () => this.repair(),
        );
        const retiredBefore = this.graph.retiredSeq;
        this.write(round);
        if (this.graph.retiredSeq !== retiredBefore) this.followArchive();
        this.closer.attend();
        if (!this.hold) await this.closer.idle();
        if (this.hold) this.snapshots.schedule(() => this.source);
        else await this.snapshots.afterCommit(this.source, () => this.lock.contended());
      } catch (error) {
        for (const queued of round) queued.reject(error);
        this.closer.refuse(error);
      } finally {
        if (!this.hold) this.lock.release();
      }
    }
    this.pumping = undefined;
  }

  /** Decides a round on the present state, appends all of it, and only then answers anybody. */
  private write(round: readonly Queued[]): void {
    if (this.loaded.log.later !== undefined) throw new TroupeError('newer_format');
    assert(this.rules, 'whoever writes has loaded them');
    if (this.loaded.pending[0]?.op === 'adopt') backUpForeignGraph(this.paths, this.clock.now());
    const { lines, lastId, answer } = decideRound(round, {
      withConsequences: this.rules.withConsequences,
      graph: this.graph,
      lastId: this.position.lastId,
      now: this.clock.now(),
      pending: this.loaded.pending,
      answers: this.answers,
      mayBeOlder: !this.hold,
    });
    this.loaded = { ...this.loaded, pending: [] };
    const data = Buffer.from(lines.join(''));
    try {
      this.own.mustOwn();
      if (data.length > 0)
        appendLog(
          this.disk,
          { file: this.paths.log, identity: this.position.identity, size: this.position.logEnd },
          data,
        );
    } catch (error) {
      this.reload();
      throw error;
    }
    this.position = advanced(this.position, lastId, data.length);
    answer();
    if (lines.length > 0) this.news.tell();
  }

  private followArchive(): void {
    try {
      writeArchive(this.paths, this.graph.whole);
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      this.note(error.code, error.message, this.paths.archive); // the log has it all
    }
  }

  /** Appends the event the next log will begin with, and takes the picture of what was before it. */
  private openNext(from: number): Closing | undefined {
    if (from > 1 && from === this.graph.seq) return undefined; // nothing came after the line it begins with
    let closing: Closing | undefined;
    const decide = () => {
      closing = { picture: this.graph.whole.freeze(), lastId: this.position.lastId, from };
      return { events: [baseEvent(from, this.graph.seq)], result: undefined };
    };
    const fail = (error: unknown) => {
      throw error;
    };
    this.write([{ decide, request: {}, resolve: () => undefined, reject: fail }]);
    assert(closing, 'a decision without a request is always asked');
    return closing;
  }

  private async adoptLog({ before, after }: LogRotation): Promise<void> {
    this.position = inNextLog(this.position, this.paths.log, before - after);
    await this.snapshots.write(this.graph.whole, this.position);
  }

  private note(code: string, text: string, file: string): void {
    const problem: Problem = { severity: 'warning', code, text, file };
    this.loaded = { ...this.loaded, problems: [...this.loaded.problems, problem] };
  }

  private isClosed(): TroupeError {
    return this.lost ? this.own.error() : new TroupeError('internal', { what: 'The store is closed.' });
  }

  /** Under the lock: catches up with other writers and sets a torn end aside. */
  private repair(): void {
    this.refresh();
    const { identity, logEnd } = this.position;
    if (this.loaded.log.size > logEnd) this.own.mustOwn();
    const file = setTornEndAside(this.disk, { file: this.paths.log, identity, size: this.loaded.log.size }, logEnd, {
      folder: this.paths.lostAndFound,
      name: `operations-${logEnd}-${this.clock.now()}.part`,
    });
    if (file) {
      this.note('torn', `the log ended in the middle of a line; the rest was moved to ${file}`, this.paths.log);
    }
  }

  /** Reads what others wrote since: another command, a hand in an editor, a git checkout. */
  private refresh(): void {
    const size = logSize(this.paths.log);
    const { identity, logEnd } = this.position;
    const same = this.snapshots.isOwn(markOf(this.paths.graph)) && fileIdentity(this.paths.log) === identity;
    if (!same || size < logEnd || (size > logEnd && !this.catchUp())) this.reload();
  }

  /** Redoes what others appended, where nothing else happened; answers whether that was so. */
  private catchUp(): boolean {
    const appended = this.loaded.pending.length === 0 && appendedSince(this.paths, this.position, this.graph.seq);
    if (!appended) return false;
    const { log, position } = appended;
    for (const entry of log.entries) this.graph.apply(entry);
    this.loaded = { ...this.loaded, log };
    this.position = position;
    return true;
  }

  private reload(): void {
    this.loaded = loadStore(this.paths);
    this.position = positionOf(this.loaded);
    this.snapshots.adopt(this.loaded);
  }

  /** The service notices a hand's edit, and that its lock is gone, although nobody asks it anything. */
  private watchHands(): void {
    this.handTimer = setInterval(() => {
      if (!this.own.isOwn()) return this.own.lose();
      const mark = markOf(this.paths.graph);
      const same = (!mark || this.snapshots.isOwn(mark)) && logSize(this.paths.log) === this.position.logEnd;
      if (same || this.pumping || this.closed) return;
      this.commit(() => ({ events: [], result: undefined })).then(
        () => this.onHandEdit?.(),
        () => undefined, // the next look tries again
      );
    }, HAND_EDIT_POLL_MS);
    this.handTimer.unref();
  }
}
