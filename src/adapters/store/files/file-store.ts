import { copyFileSync, existsSync, mkdirSync, watch } from 'node:fs';
import path from 'node:path';
import { withConsequences } from '#core/graph/consequences.js';
import { entryLine, toEntries } from '#core/graph/entries.js';
import type { Entry, EventDraft, Plan } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import type { GraphView } from '#core/graph/view.js';
import { type Clock, timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { freshId } from '#kernel/hash.js';
import type { Commit, GraphStore, Problem } from '#ports/graph-store.js';
import type { Processes, ProcessLock } from '#ports/processes.js';
import { markOf, refuseLinks } from './disk.js';
import { type Loaded, loadStore } from './loading.js';
import { appendLog, logSize, readLog, setTornEndAside } from './log-file.js';
import { holdsGraph, type StorePaths, storePaths } from './paths.js';
import { SnapshotWriter } from './snapshot-writer.js';

/** How much of the log's end is searched for requests that were answered before. */
const ANSWERED_BYTES = 256 * 1024;
const ANSWERED_MOST = 10_000;
const FOLLOW_POLL_MS = 200;
const HAND_EDIT_POLL_MS = 1_000;

export interface FileStoreOptions {
  /** The `.workgraph` folder. */
  readonly folder: string;
  readonly clock: Clock;
  readonly processes: Processes;
  /** Keep the lock for life (the service); else it is taken for each commit. */
  readonly hold: boolean;
  /** Asked while waiting for the lock: true when waiting is in vain, and the answer is `locked` at once. */
  readonly giveUp?: () => boolean;
  /** Called after a hand's edit that nobody asked about became part of the graph. Only with `hold`. */
  readonly onHandEdit?: () => void;
}

interface Queued {
  readonly decide: (view: GraphView) => Plan<unknown>;
  readonly requestId: string | undefined;
  readonly resolve: (commit: Commit<unknown>) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The graph in two text files: `operations.jsonl`, to which every change is appended before it counts, and
 * `graph.jsonl`, which follows it for people, git and other tools. Commits that come in together share one write.
 */
export class FileStore implements GraphStore {
  readonly paths: StorePaths;
  private readonly clock: Clock;
  private readonly lock: ProcessLock;
  private readonly hold: boolean;
  private readonly giveUp: (() => boolean) | undefined;
  private readonly onHandEdit: (() => void) | undefined;
  private loaded: Loaded;
  private snapshots: SnapshotWriter;
  private lastId: string | undefined;
  private logEnd: number;
  private queue: Queued[] = [];
  private pumping: Promise<void> | undefined;
  private answered = new Map<string, Commit<unknown>>();
  private wake = new Set<() => void>();
  private handTimer: NodeJS.Timeout | undefined;
  private closed = false;

  private constructor(options: FileStoreOptions, lock: ProcessLock) {
    this.paths = storePaths(options.folder);
    this.clock = options.clock;
    this.hold = options.hold;
    this.giveUp = options.giveUp;
    this.onHandEdit = options.onHandEdit;
    this.lock = lock;
    this.loaded = loadStore(this.paths);
    this.lastId = this.loaded.lastId;
    this.logEnd = this.loaded.log.end;
    this.snapshots = new SnapshotWriter(this.paths, options.clock);
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
    if (options.hold) await lock.acquire(options.giveUp);
    const store = new FileStore(options, lock);
    if (options.hold) {
      store.repair();
      store.recallAnswers();
      if (store.loaded.pending.length > 0) await store.commit(() => ({ events: [], result: undefined }));
      store.watchHands();
    }
    return store;
  }

  private get state(): GraphState {
    return this.loaded.state();
  }

  async view(at?: number): Promise<GraphView> {
    if (!this.hold) this.refresh();
    if (!this.hold && at === undefined && this.loaded.glance) return this.loaded.glance;
    if (at === undefined || at >= this.state.seq) return this.state.freeze();
    const earlier = new GraphState();
    for (const entry of readLog(this.paths.log).entries) if (entry.seq <= at) earlier.apply(entry);
    return earlier;
  }

  commit<Result>(
    decide: (view: GraphView) => Plan<Result>,
    options: { requestId?: string } = {},
  ): Promise<Commit<Result>> {
    if (this.closed) return Promise.reject(new TroupeError('internal', { what: 'The store is closed.' }));
    return new Promise<Commit<Result>>((resolve, reject) => {
      this.queue.push({
        decide,
        requestId: options.requestId,
        resolve: resolve as (commit: Commit<unknown>) => void,
        reject,
      });
      this.pumping ??= this.pump();
    });
  }

  async *entries(from: number, to = Number.POSITIVE_INFINITY): AsyncIterable<Entry> {
    for (const entry of readLog(this.paths.log).entries) if (entry.seq >= from && entry.seq <= to) yield entry;
  }

  async *follow(from: number, signal: AbortSignal): AsyncIterable<Entry> {
    let next = from;
    let offset = 0;
    const watcher =
      this.hold || !existsSync(this.paths.log) ? undefined : watch(this.paths.log, () => this.wakeFollowers());
    try {
      while (!signal.aborted && !this.closed) {
        if (logSize(this.paths.log) < offset) offset = 0;
        const reading = readLog(this.paths.log, offset);
        offset = reading.end;
        for (const entry of reading.entries) {
          if (entry.seq < next) continue;
          if (signal.aborted) return;
          yield entry;
          next = entry.seq + 1;
        }
        if (reading.entries.length === 0) await this.somethingNew(signal);
      }
    } finally {
      watcher?.close();
    }
  }

  async snapshot(): Promise<number> {
    if (!this.lock.held) {
      await this.lock.acquire();
      try {
        this.refresh();
        await this.snapshots.write(this.state, this.lastId, this.logEnd);
      } finally {
        this.lock.release();
      }
    } else await this.snapshots.write(this.state, this.lastId, this.logEnd);
    return this.state.seq;
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
    if (this.lock.held) {
      await this.snapshots.finish(this.state, this.lastId, this.logEnd);
      this.lock.release();
    }
    this.wakeFollowers();
  }

  /** Takes whatever is queued, again and again, until nothing is; each round is one write to the log. */
  private async pump(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (this.queue.length > 0) {
      const round = this.queue;
      this.queue = [];
      try {
        if (!this.hold) await this.lock.acquire(this.giveUp);
        this.repair();
        this.write(round);
        if (this.hold) this.snapshots.schedule(() => ({ state: this.state, lastId: this.lastId, logEnd: this.logEnd }));
        else await this.snapshots.afterCommit(this.state, this.lastId, this.logEnd);
      } catch (error) {
        for (const queued of round) queued.reject(error);
      } finally {
        if (!this.hold) this.lock.release();
      }
    }
    this.pumping = undefined;
  }

  /** Decides a round on the present state, appends all of it, and only then answers anybody. */
  private write(round: readonly Queued[]): void {
    const lines: string[] = [];
    const answers: (() => void)[] = [];
    const chain = (drafts: readonly EventDraft[]): Entry[] => {
      const entries = toEntries(drafts, { seq: this.state.seq, id: this.lastId }, timestamp(this.clock.now()), freshId);
      const texts = entries.map(entryLine);
      for (const entry of entries) this.state.apply(entry);
      lines.push(...texts);
      this.lastId = entries.at(-1)?.id ?? this.lastId;
      return entries;
    };
    if (this.loaded.pending.length > 0) {
      if (this.loaded.pending[0]?.op === 'adopt') keepFound(this.paths, this.clock.now());
      chain(this.loaded.pending);
      this.loaded = { ...this.loaded, pending: [] };
    }
    for (const queued of round) {
      const before = queued.requestId === undefined ? undefined : this.answeredBefore(queued.requestId);
      if (before) {
        answers.push(() => queued.resolve(before));
        continue;
      }
      try {
        const plan = withConsequences(this.state, queued.decide(this.state), this.clock.now());
        const entries = chain(withRequest(plan.events, queued.requestId, plan.result));
        const commit = { seq: this.state.seq, entries, result: plan.result };
        answers.push(() => {
          if (queued.requestId !== undefined) this.remember(queued.requestId, commit);
          queued.resolve(commit);
        });
      } catch (error) {
        answers.push(() => queued.reject(error));
      }
    }
    if (lines.length > 0) {
      this.loaded = { ...this.loaded, glance: undefined };
      const data = Buffer.from(lines.join(''));
      try {
        appendLog(this.paths.log, this.logEnd, data);
      } catch (error) {
        this.reload();
        throw error;
      }
      this.logEnd += data.length;
      this.snapshots.count(lines.length, data.length);
    }
    for (const answer of answers) answer();
    if (lines.length > 0) this.wakeFollowers();
  }

  /** The result of a request that was answered before, so that asking twice does not do it twice. */
  private answeredBefore(requestId: string): Commit<unknown> | undefined {
    if (!this.hold) this.recallAnswers();
    return this.answered.get(requestId);
  }

  /** Finds answered requests at the end of the log: whoever answered them may have been killed before saying so. */
  private recallAnswers(): void {
    const groups = new Map<string, Entry[]>();
    for (const entry of readLog(this.paths.log, Math.max(0, this.logEnd - ANSWERED_BYTES)).entries) {
      const request = entry.detail?.['request'] as { id: string; result: unknown } | undefined;
      if (!request) continue;
      groups.set(request.id, [...(groups.get(request.id) ?? []), entry]);
      this.remember(request.id, { seq: entry.seq, entries: groups.get(request.id) ?? [], result: request.result });
    }
  }

  private remember(requestId: string, commit: Commit<unknown>): void {
    this.answered.set(requestId, commit);
    const oldest = this.answered.keys().next();
    if (this.answered.size > ANSWERED_MOST && !oldest.done) this.answered.delete(oldest.value);
  }

  /** Under the lock: catches up with other writers and sets a torn end aside. */
  private repair(): void {
    this.refresh();
    const kept = setTornEndAside(
      this.paths.log,
      { ...this.loaded.log, end: this.logEnd, size: logSize(this.paths.log) },
      this.paths.lostAndFound,
      `operations-${this.logEnd}-${this.clock.now()}.part`,
    );
    if (kept) {
      const text = `the log ended in the middle of a line; the piece was moved to ${kept}`;
      const problem: Problem = { severity: 'warning', code: 'torn', text, file: this.paths.log };
      this.loaded = { ...this.loaded, problems: [...this.loaded.problems, problem] };
    }
  }

  /** Reads what others wrote since: another command, a hand in an editor, a git checkout. */
  private refresh(): void {
    const size = logSize(this.paths.log);
    const mark = markOf(this.paths.graph);
    const graphSame =
      mark?.bytes === this.snapshots.graphMark?.bytes && mark?.mtime === this.snapshots.graphMark?.mtime;
    if (!graphSame || size !== this.logEnd) this.reload();
  }

  private reload(): void {
    this.loaded = loadStore(this.paths);
    this.lastId = this.loaded.lastId;
    this.logEnd = this.loaded.log.end;
    this.snapshots.adopt(this.loaded);
  }

  /** The service notices a hand's edit although nobody asks it anything. */
  private watchHands(): void {
    this.handTimer = setInterval(() => {
      const mark = markOf(this.paths.graph);
      if (!mark || this.snapshots.isOwn(mark) || this.pumping || this.closed) return;
      this.commit(() => ({ events: [], result: undefined })).then(
        () => this.onHandEdit?.(),
        () => undefined, // the next look tries again
      );
    }, HAND_EDIT_POLL_MS);
    this.handTimer.unref();
  }

  private somethingNew(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.wake.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, FOLLOW_POLL_MS);
      this.wake.add(done);
      signal.addEventListener('abort', done);
    });
  }

  private wakeFollowers(): void {
    for (const wake of [...this.wake]) wake();
  }
}

/** A request's id and result travel with its last event, so that a repeated request finds its answer after a crash. */
function withRequest(
  events: readonly EventDraft[],
  requestId: string | undefined,
  result: unknown,
): readonly EventDraft[] {
  const last = events.at(-1);
  if (requestId === undefined || !last) return events;
  const request = { id: requestId, result: result as never };
  return [...events.slice(0, -1), { ...last, detail: { ...last.detail, request } }];
}

/** The graph as another tool left it stays beside the log: adopting it must not lose what it was. */
function keepFound(paths: StorePaths, now: number): void {
  const folder = path.join(paths.folder, 'log');
  mkdirSync(folder, { recursive: true });
  copyFileSync(paths.graph, path.join(folder, `graph-found-${timestamp(now).replaceAll(':', '')}.jsonl`));
}
