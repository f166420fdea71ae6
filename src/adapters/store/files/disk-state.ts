import type { Clock } from '#kernel/clock.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import type { StoreProblem } from '#ports/graph-store.js';
import type { LazyGraph } from '../lazy-graph.js';
import { fileIdentity, markOf, type StoreDisk } from './disk.js';
import type { StoreLog } from './followed-log.js';
import { logSize } from './log-file.js';
import type { keptOutline } from './outline-file.js';
import { type SnapshotContents, SnapshotWriter } from './snapshot-writer.js';
import { appendedSince, type Loaded, type LogPosition, loadStore, positionOf } from './store-load.js';

interface DiskStateParts {
  readonly held: StoreLog;
  readonly clock: Clock;
  readonly disk: StoreDisk;
  /** Is the write lock ours? */
  readonly isOwn: () => boolean;
  readonly outlines: typeof keptOutline | undefined;
}

/** The graph as it was last read from log and snapshot, and how those two have changed since. Writes only under the lock. */
export class DiskState {
  readonly held: StoreLog;
  readonly snapshots: SnapshotWriter;
  loaded: Loaded;
  position: LogPosition;
  /** A branch's own changes stand in the log that were not read yet. */
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
    // A picture without lines that stand in the log would be taken for one with them.
    this.snapshots = new SnapshotWriter(paths, clock, () => isOwn() && !this.held.away && !this.unread, disk);
    this.adopt();
  }

  get graph(): LazyGraph {
    return this.loaded.graph;
  }

  get source(): SnapshotContents {
    return { graph: this.graph, position: this.position };
  }

  /** Is there something in the files that was not read: by a hand, or by git? */
  get isStale(): boolean {
    if (this.held.away) return !this.held.isUnchanged;
    const mark = markOf(this.paths.graph);
    return (mark !== undefined && !this.snapshots.isOwn(mark)) || logSize(this.paths.log) !== this.position.logEnd;
  }

  /** Reads what others wrote since: another command, a hand in an editor, a git checkout. */
  refresh(): void {
    const wasAway = this.held.away;
    this.held.look(this.position);
    if (this.held.away) {
      if (!wasAway) this.stepAside();
      return;
    }
    const size = logSize(this.paths.log);
    const { identity, logEnd } = this.position;
    // git put ours back: its snapshot may be older than the log, and is no edit by hand.
    if (wasAway && size === logEnd) {
      this.standAgain(fileIdentity(this.paths.log));
      return;
    }
    const same = this.snapshots.isOwn(markOf(this.paths.graph)) && fileIdentity(this.paths.log) === identity;
    if (this.unread || !same || size < logEnd || (size > logEnd && !this.catchUp())) this.reload();
  }

  /** git put another log in the place of ours. What was read while it wrote one file after the other is no edit by hand. */
  private stepAside(): void {
    this.reload();
    const later = 'the service goes on with its own, and writes it again with the next change';
    this.note('put_back', `${this.held.problem}: ${later}`, this.paths.log);
  }

  /** The log lies in its place again; the snapshot follows. */
  private standAgain(identity: string): void {
    this.position = { ...this.position, identity };
    this.loaded = { ...this.loaded, problems: this.loaded.problems.filter(({ code }) => code !== 'put_back') };
    this.snapshots.overwrite();
    this.held.keep();
  }

  /** Writes our log in the place of the other one. What that has besides is taken in by the next round. */
  bringBack(): void {
    const { problem } = this.held;
    const { identity, size, merged } = this.held.bringBack(this.position);
    this.position = { ...this.position, logEnd: size };
    this.standAgain(identity);
    this.note('put_back', `${problem}: the service wrote its own again`, this.paths.log);
    this.unread = merged;
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

  reload(): void {
    const told = this.loaded.problems.filter(({ code }) => code === 'put_back');
    const loaded = loadStore(this.held.paths, this.outlines);
    this.loaded = { ...loaded, problems: [...loaded.problems, ...told] };
    this.position = positionOf(loaded);
    this.unread = false;
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
