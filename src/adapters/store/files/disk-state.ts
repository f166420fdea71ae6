import type { GraphView } from '#core/graph/view.js';
import type { Clock } from '#kernel/clock.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import type { StoreProblem } from '#ports/graph-store.js';
import type { LazyGraph } from '../lazy-graph.js';
import { markOf, type StoreDisk } from './disk.js';
import type { StoreLog } from './followed-log.js';
import type { LogAppender } from './log-appender.js';
import { type LogPlace, logPlace, logSize } from './log-file.js';
import type { keptOutline } from './outline-file.js';
import { SnapshotWriter } from './snapshot-writer.js';
import { advanced, appendedSince, type Loaded, type LogPosition, loadStore, positionOf } from './store-load.js';

interface DiskStateParts {
  readonly held: StoreLog;
  readonly clock: Clock;
  readonly disk: StoreDisk;
  /** Whether this process holds the write lock. */
  readonly isOwn: () => boolean;
  readonly outlines: typeof keptOutline | undefined;
}

/** In-memory graph as last read from log and snapshot, with change detection for both. Writes only under the lock. */
export class DiskState {
  readonly held: StoreLog;
  readonly snapshots: SnapshotWriter;
  loaded: Loaded;
  position: LogPosition;
  private flushing: Promise<void> | undefined;
  /** View of the graph before the changes that are decided but not written; undefined if there are none. */
  private written: GraphView | undefined;
  /** Whether a caller waits until the log has all that the graph in memory has. */
  isAwaited = false;
  /** Whether the log contains changes from another branch that have not been read yet. */
  unread = false;
  private readonly paths: GraphLayout;
  private readonly outlines: typeof keptOutline | undefined;

  constructor(paths: GraphLayout, { held, clock, disk, isOwn, outlines }: DiskStateParts) {
    this.paths = paths;
    this.held = held;
    this.outlines = outlines;
    held.recover();
    this.loaded = loadStore(this.held.paths, this.outlines);
    this.position = positionOf(this.loaded);
    // A snapshot that lacks these log lines would be mistaken for one that includes them.
    this.snapshots = new SnapshotWriter(paths, clock, disk, {
      mayWrite: () => isOwn() && !this.held.away && !this.unread,
      contents: () => ({ graph: this.graph, position: this.position }),
      appending: () => this.appending(),
    });
    this.adopt();
  }

  get graph(): LazyGraph {
    return this.loaded.graph;
  }

  /** Immutable view of what is written. */
  view(): GraphView {
    return this.written ?? this.graph.view();
  }

  /** Keeps the view of what is written: the graph in memory is about to have more. */
  runAhead(): void {
    this.written ??= this.graph.view();
  }

  /** All that was decided is being written now. */
  caughtUp(): void {
    this.written = undefined;
  }

  /**
   * Promise that settles when more of the changes in memory may be on disk; undefined if all of them are. A caller that
   * asks again until then is not overtaken by further changes.
   */
  appending(): Promise<void> | undefined {
    if (this.flushing === undefined && this.written === undefined) return undefined;
    this.isAwaited = true;
    return this.flushing ?? nextTurn();
  }

  /** Lets those go on that waited for the disk. Returns false if there are none. */
  async waitersFirst(): Promise<boolean> {
    if (!this.isAwaited) return false;
    this.isAwaited = false;
    await nextTurn();
    return true;
  }

  /** Resolves once the log has nothing that is not on disk. */
  async flushed(): Promise<void> {
    while (this.flushing) await this.flushing;
  }

  /**
   * Appends a round that the graph in memory has. Resolves once it is on disk. Errors: those of the appender.
   */
  async append(appender: LogAppender, data: Uint8Array, lastId: string | undefined): Promise<void> {
    const { identity, logEnd: size } = this.position;
    const append = appender.append({ identity, size }, data);
    this.position = advanced(this.position, lastId, { bytes: data.length, identity: append.identity });
    // Read again before it counts as settled: until then the graph has what the disk has lost.
    const settled = append.flushed.catch((error) => {
      this.reload();
      throw error;
    });
    const over = () => {
      this.flushing = undefined;
    };
    this.flushing = settled.then(over, over);
    await settled;
  }

  /** Whether the files are as this process read or wrote them. */
  get isUntouched(): boolean {
    return !this.isOdd && this.isOwnSnapshot && isSamePlace(logPlace(this.paths.log), this.position);
  }

  /** Whether there is something to bring back, to read or to log before the next change. */
  get isOdd(): boolean {
    return this.held.away || this.unread || this.loaded.pending.length > 0;
  }

  /** Whether the files contain unread changes, made by hand or by git. */
  get isStale(): boolean {
    if (this.held.away) return !this.held.isUnchanged;
    const mark = markOf(this.paths.graph);
    return (mark !== undefined && !this.snapshots.isOwn(mark)) || logSize(this.paths.log) !== this.position.logEnd;
  }

  /** Reads changes that others made: another command, a hand edit or a git checkout. */
  refresh(): void {
    const wasAway = this.held.away;
    const place = logPlace(this.paths.log);
    const { identity: present, size } = place;
    this.held.look(this.position, place);
    if (this.held.away) {
      if (!wasAway) this.stepAside();
      return;
    }
    const { logEnd } = this.position;
    // git restored our log: its snapshot may be older than the log and is not a hand edit.
    if (wasAway && size === logEnd) {
      this.resumeOwnLog(present);
      return;
    }
    const same = this.isOwnSnapshot && present === this.position.identity;
    if (this.unread || !same || size < logEnd || (size > logEnd && !this.catchUp())) this.reload();
  }

  private get isOwnSnapshot(): boolean {
    return this.snapshots.isOwn(markOf(this.paths.graph));
  }

  /** Uses the kept copy after git replaced our log. Changes seen while git writes file by file are not hand edits. */
  private stepAside(): void {
    this.reload();
    const later = 'the service goes on with its own, and writes it again with the next change';
    this.note('put_back', `${this.held.problem}: ${later}`, this.paths.log);
  }

  /** Resumes after our log is back in place, and rewrites the snapshot. */
  private resumeOwnLog(identity: string): void {
    this.position = { ...this.position, identity };
    this.loaded = { ...this.loaded, problems: this.loaded.problems.filter(({ code }) => code !== 'put_back') };
    this.snapshots.overwrite();
    this.held.keep();
  }

  /** Replaces the log that git put there with ours. The next round reads additional entries from git's log. */
  bringBack(): void {
    const { problem } = this.held;
    const { identity, size, merged } = this.held.restoreLog(this.position);
    this.position = { ...this.position, logEnd: size };
    this.resumeOwnLog(identity);
    this.note('put_back', `${problem}: the service wrote its own again`, this.paths.log);
    this.unread = merged;
  }

  /** Applies entries that others appended. Returns false if the log changed in any other way. */
  private catchUp(): boolean {
    const appended = this.loaded.pending.length === 0 && appendedSince(this.paths, this.position, this.graph.seq);
    if (!appended) return false;
    const { log, position } = appended;
    for (const entry of log.entries) this.graph.apply(entry);
    this.loaded = { ...this.loaded, log };
    this.position = position;
    return true;
  }

  reload(): void {
    this.unread = true; // also if reading fails
    const told = this.loaded.problems.filter(({ code }) => code === 'put_back');
    const loaded = loadStore(this.held.paths, this.outlines);
    this.loaded = { ...loaded, problems: [...loaded.problems, ...told] };
    this.position = positionOf(loaded);
    this.unread = false;
    this.written = undefined;
    this.adopt();
  }

  private adopt(): void {
    if (!this.held.away) this.held.keep();
    this.snapshots.adopt(this.loaded);
  }

  note(code: string, text: string, file: string): void {
    const problem: StoreProblem = { severity: 'warning', code, text, file };
    this.loaded = { ...this.loaded, problems: [...this.loaded.problems, problem] };
  }
}

function isSamePlace(place: LogPlace, { identity, logEnd }: LogPosition): boolean {
  return place.identity === identity && place.size === logEnd;
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
