import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { graphText } from '#core/graph/line.js';
import type { GraphState } from '#core/graph/state.js';
import type { Clock } from '#kernel/clock.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { LazyGraph } from '../lazy-graph.js';
import { longTail } from '../long-tail.js';
import type { PictureLines } from '../picture-lines.js';
import { forgetRetired, markBeyond } from './beyond-nodes.js';
import {
  draftFile,
  type FileMark,
  folderIdentity,
  markOf,
  replaceByDraft,
  replaceFile,
  type StoreDisk,
} from './disk.js';
import type { NewText, OtherLines } from './large-file.js';
import { tailBefore } from './log-file.js';
import type { LogPosition } from './store-load.js';
import { LOG_TAIL_BYTES, type Loaded, type MarkFile, ownMark, readMarks, type SnapshotMark } from './store-load.js';

/** Source of a snapshot. */
interface SnapshotContents {
  readonly graph: LazyGraph;
  readonly position: LogPosition;
}

/** State of the store that the snapshots show. */
export interface SnapshotView {
  /** Whether this process holds the write lock and its state includes the whole log. */
  mayWrite(): boolean;
  contents(): SnapshotContents;
  /** Settles when changes may be on disk that the contents have: until then no snapshot may show them. */
  appending(): Promise<void> | undefined;
}

/** Extent of the snapshot on disk. `isMarked`: a mark beside it confirms it. */
interface Written {
  readonly seq: number;
  readonly logEnd: number;
  readonly isMarked: boolean;
}

/**
 * Keeps `graph.jsonl` close to the log: immediately for a small graph, in background slices for a large one. The log is
 * the source of truth, so a late or missing snapshot only costs loading time.
 */
export class SnapshotWriter {
  /** File mark of the snapshot as last read or written. */
  private graphMark: FileMark | undefined;
  private readonly paths: GraphLayout;
  private readonly clock: Clock;
  private readonly disk: StoreDisk;
  private readonly source: SnapshotView;
  private others: OtherLines = { comments: [], unreadableLines: [] };
  private graphBytes = 0;
  private latest: Written = { seq: -1, logEnd: 0, isMarked: false };
  /** Mark that identifies the snapshot on disk as ours; the mark file may list it only as announced. */
  private present: SnapshotMark | undefined;
  /** Duration of the last snapshot in milliseconds. */
  private lastMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private dirtySince: number | undefined;
  /** Whether the running timer must not be postponed by further changes. */
  private urgent = false;
  private writing: Promise<void> | undefined;

  constructor(paths: GraphLayout, clock: Clock, disk: StoreDisk, source: SnapshotView) {
    this.paths = paths;
    this.clock = clock;
    this.disk = disk;
    this.source = source;
  }

  /** Adopts the result of loading. */
  adopt(loaded: Loaded): void {
    this.graphMark = loaded.graphMark;
    this.graphBytes = loaded.graphMark?.bytes ?? 0;
    this.others = loaded;
    this.latest = { seq: loaded.snapshotSeq, logEnd: loaded.mark?.log_bytes ?? 0, isMarked: loaded.marked };
    this.present = loaded.mark;
  }

  /** Marks the snapshot for replacement: another process put an outdated one there. */
  overwrite(): void {
    this.graphMark = markOf(this.paths.graph);
    this.present = undefined;
    this.latest = { ...this.latest, isMarked: false };
  }

  /** Whether the file mark is unchanged since the last read or write; undefined means no file. */
  isOwn(mark: FileMark | undefined): boolean {
    return mark?.bytes === this.graphMark?.bytes && mark?.mtime === this.graphMark?.mtime;
  }

  /**
   * For a process that commits and ends. Writes now if the graph is small, if the log's tail has grown long, or if no
   * snapshot is ours and readers would have to read the whole log. While others wait to commit, the last of them writes
   * a small one for all.
   */
  async afterCommit(othersWait: () => boolean): Promise<void> {
    const contents = this.source.contents();
    if (this.isPresent(contents.graph)) return;
    const due = !this.present || this.isLong(contents, WORK_LIMITS.snapshotTailEvents);
    if (due || (!othersWait() && this.isSmall(contents.graph))) await this.write();
  }

  /** For the service: soon if small; if large, after a quiet period, many events, or half a minute at the latest. */
  schedule(): void {
    const contents = this.source.contents();
    if (this.isPresent(contents.graph)) return;
    this.dirtySince ??= this.clock.now();
    const small = this.isSmall(contents.graph);
    const long = this.isLong(contents, longTail(contents.graph.size));
    if ((small || this.urgent) && this.timer) return; // not postponed further
    clearTimeout(this.timer);
    const remaining = Math.max(0, this.dirtySince + WORK_LIMITS.snapshotLatestMs - this.clock.now());
    const soon = Math.min(
      remaining,
      Math.max(WORK_LIMITS.snapshotQuietMs, WORK_LIMITS.largeSnapshotShare * this.lastMs),
    );
    const wait = small
      ? Math.max(WORK_LIMITS.snapshotSettleMs, WORK_LIMITS.snapshotShare * this.lastMs)
      : long
        ? soon
        : Math.min(WORK_LIMITS.snapshotQuietMs, remaining);
    this.urgent = long;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.write().then(
        () => (this.source.mayWrite() ? this.schedule() : undefined),
        () => undefined, // the log has all of it; the next commit retries
      );
    }, wait);
    this.timer.unref();
  }

  /** Writes the pending snapshot. Called before the lock is released. */
  async finish(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.writing;
    if (!this.isPresent(this.source.contents().graph)) await this.write();
  }

  /** Writes a snapshot, after any write in progress. `lines`: serialised lines of the graph, unless outdated. */
  async write(lines?: PictureLines): Promise<void> {
    while (this.writing) await this.writing;
    this.writing = this.writeNow(lines).finally(() => {
      this.writing = undefined;
    });
    await this.writing;
  }

  private async writeNow(lines?: PictureLines): Promise<void> {
    for (let append = this.source.appending(); append; append = this.source.appending()) await append;
    if (!this.source.mayWrite()) return; // the file now belongs to another process
    const { graph, position } = this.source.contents();
    const { whole: state } = graph;
    const { lastId, logEnd } = position;
    const there = markOf(this.paths.graph);
    if (there && !this.isOwn(there)) return; // edited by hand; the next commit reads the edit first
    const large = state.size > WORK_LIMITS.snapshotNodesAtOnce;
    const picture = large ? state.freeze() : state;
    const startedAt = this.clock.now();
    mkdirSync(this.paths.service, { recursive: true, mode: PRIVATE_FOLDER });
    const text = large
      ? await (await import('./large-file.js')).largeText(this.paths, picture, this.others, lines)
      : this.smallText(state);
    const mark: SnapshotMark = {
      seq: picture.seq,
      ...(lastId === undefined ? {} : { last_id: lastId }),
      log_bytes: logEnd,
      log_tail: tailBefore(this.paths.log, logEnd, LOG_TAIL_BYTES),
      graph_sha256: text.sha256,
      graph_bytes: text.mark.bytes,
      ...markBeyond(this.paths, picture),
      plain: this.others.comments.length === 0 && this.others.unreadableLines.length === 0,
    };
    // A process killed after the announcement leaves the old snapshot in place, so its mark must be kept.
    const current = this.present ?? ownMark(this.paths, readMarks(this.paths.mark));
    const now = markOf(this.paths.graph);
    // The file was changed while the text was written.
    if ((now && !this.isOwn(now)) || !this.source.mayWrite()) return rmSync(this.paths.graphDraft, { force: true });
    this.writeMarks({ ...(current ? { current } : {}), next: mark });
    replaceByDraft(this.disk, this.paths.graph, this.paths.graphDraft);
    this.graphMark = text.mark; // at once: it is no hand edit
    this.graphBytes = text.mark.bytes;
    await text.keepBeside();
    this.present = { ...mark, graph_mtime: text.mark.mtime };
    this.writeMarks({ current: this.present });
    if (mark.retired_in !== current?.retired_in) forgetRetired(this.paths, mark);
    this.latest = { seq: picture.seq, logEnd, isMarked: true };
    this.lastMs = this.clock.now() - startedAt;
    this.dirtySince = undefined;
  }

  private isPresent({ seq }: LazyGraph): boolean {
    return this.latest.isMarked && seq === this.latest.seq;
  }

  /** Whether loading the graph would read more than `most` events after the snapshot, or as many bytes in proportion. */
  private isLong({ graph, position }: SnapshotContents, most: number): boolean {
    const mostBytes = (most / WORK_LIMITS.snapshotTailEvents) * WORK_LIMITS.snapshotTailBytes;
    return graph.seq - this.latest.seq > most || position.logEnd - this.latest.logEnd > mostBytes;
  }

  private isSmall(graph: LazyGraph): boolean {
    return this.graphBytes <= WORK_LIMITS.snapshotBytesAtOnce && graph.size <= WORK_LIMITS.snapshotNodesAtOnce;
  }

  private smallText(state: GraphState): NewText {
    const data = Buffer.from(graphText(state.nodesById(), this.others.comments, this.others.unreadableLines));
    const { graph, graphDraft } = this.paths;
    return {
      mark: draftFile(graph, data, { sync: true, draft: graphDraft }),
      sha256: sha256(data),
      keepBeside: async () => writeFileSync(this.paths.base, data, { mode: PRIVATE_FILE }),
    };
  }

  private writeMarks(marks: Pick<MarkFile, 'current' | 'next'>): void {
    const file: MarkFile = { format: 1, folder: folderIdentity(this.paths.service), ...marks };
    const options = { sync: false, mode: PRIVATE_FILE, draft: `${this.paths.mark}.draft` };
    replaceFile(this.paths.mark, `${JSON.stringify(file)}\n`, options);
  }
}
