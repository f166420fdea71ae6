import { mkdirSync, writeFileSync } from 'node:fs';
import { graphText, nodeLine, sortedById } from '#core/graph/line.js';
import type { GraphState } from '#core/graph/state.js';
import type { Clock } from '#kernel/clock.js';
import { sha256 } from '#kernel/hash.js';
import { LIMITS } from '#kernel/limits.js';
import { type FileMark, markOf, replaceFile } from './disk.js';
import { LOG_TAIL_BYTES, type Loaded, type MarkFile, readMarks, type SnapshotMark } from './loading.js';
import { tailBefore } from './log-file.js';
import type { StorePaths } from './paths.js';
import { forgetRetired, keepRetired } from './retired-file.js';

/** While the service serves, a small graph's snapshot follows after this pause, so that a burst is one write. */
const SETTLE_MS = 100;
/** Writing snapshots may take a fiftieth of the time: when one is slow, the next comes later. */
const SHARE = 50;
const LINES_A_SLICE = 4_000;

interface Source {
  readonly state: GraphState;
  readonly lastId: string | undefined;
  readonly logEnd: number;
}

/**
 * Keeps `graph.jsonl` near the log: at once while the graph is small, in the background and in slices when it is large.
 * The log is the truth, so a snapshot that is late or was never written costs nothing but loading time.
 */
export class SnapshotWriter {
  /** How the snapshot looked when we last read or wrote it. */
  graphMark: FileMark | undefined;
  private readonly paths: StorePaths;
  private readonly clock: Clock;
  private comments: readonly string[] = [];
  private kept: readonly string[] = [];
  private tailEvents = 0;
  private tailBytes = 0;
  private graphBytes = 0;
  private writtenSeq = -1;
  /** How long the last snapshot took, in milliseconds. */
  private lastMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private dirtySince: number | undefined;
  /** The timer runs out at once, whatever comes in the meantime. */
  private urgent = false;
  private writing: Promise<void> | undefined;

  constructor(paths: StorePaths, clock: Clock) {
    this.paths = paths;
    this.clock = clock;
  }

  /** Takes over what loading found out. */
  adopt(loaded: Loaded): void {
    this.graphMark = loaded.graphMark;
    this.graphBytes = loaded.graphMark?.bytes ?? 0;
    this.comments = loaded.comments;
    this.kept = loaded.kept;
    this.tailEvents = loaded.seq - loaded.snapshotSeq;
    this.tailBytes = loaded.log.end;
    this.writtenSeq = loaded.marked ? loaded.snapshotSeq : -1;
  }

  isOwn(mark: FileMark): boolean {
    return mark.bytes === this.graphMark?.bytes && mark.mtime === this.graphMark.mtime;
  }

  count(events: number, bytes: number): void {
    this.tailEvents += events;
    this.tailBytes += bytes;
  }

  /**
   * A process that commits and ends: writes now when the graph is small or the log's tail has grown long. While others wait to
   * commit, the last of them writes a small one for all.
   */
  async afterCommit(
    state: GraphState,
    lastId: string | undefined,
    logEnd: number,
    othersWait: () => boolean,
  ): Promise<void> {
    if (state.seq === this.writtenSeq) return;
    const long = this.tailEvents > LIMITS.snapshotTailEvents || this.tailBytes > LIMITS.snapshotTailBytes;
    if (long || (this.isSmall(state) && !othersWait())) await this.write(state, lastId, logEnd);
  }

  /** The service: soon when small; when large after a quiet spell, many events, or at the latest after half a minute. */
  schedule(source: () => Source): void {
    if (source().state.seq === this.writtenSeq) return;
    this.dirtySince ??= this.clock.now();
    const small = this.isSmall(source().state);
    const long = this.tailEvents > LIMITS.snapshotTailEvents || this.tailBytes > LIMITS.snapshotTailBytes;
    if ((small || this.urgent) && this.timer) return; // put off no further
    clearTimeout(this.timer);
    const left = Math.max(0, this.dirtySince + LIMITS.snapshotLatestMs - this.clock.now());
    const wait = small ? Math.max(SETTLE_MS, SHARE * this.lastMs) : long ? 0 : Math.min(LIMITS.snapshotQuietMs, left);
    this.urgent = wait === 0;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      const now = source();
      this.write(now.state, now.lastId, now.logEnd).then(
        () => this.schedule(source),
        () => undefined, // the log has it all; the next commit tries again
      );
    }, wait);
    this.timer.unref();
  }

  /** Before the lock is given up: nothing pending may be left behind. */
  async finish(state: GraphState, lastId: string | undefined, logEnd: number): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    await this.writing;
    if (state.seq !== this.writtenSeq) await this.write(state, lastId, logEnd);
  }

  /** Writes the snapshot of this state. A second call waits for the first. */
  async write(state: GraphState, lastId: string | undefined, logEnd: number): Promise<void> {
    while (this.writing) await this.writing;
    this.writing = this.writeNow(state, lastId, logEnd).finally(() => {
      this.writing = undefined;
    });
    await this.writing;
  }

  private async writeNow(state: GraphState, lastId: string | undefined, logEnd: number): Promise<void> {
    const there = markOf(this.paths.graph);
    if (there && !this.isOwn(there)) return; // a hand was here first; the next commit reads it before we overwrite it
    const picture = state.size > LIMITS.snapshotNodesAtOnce ? state.freeze() : state;
    const seq = picture.seq;
    const begun = this.clock.now();
    const data = picture === state ? this.textOf(state) : await this.textInSlices(picture);
    mkdirSync(this.paths.service, { recursive: true, mode: 0o700 });
    const mark: SnapshotMark = {
      seq,
      ...(lastId === undefined ? {} : { last_id: lastId }),
      log_bytes: logEnd,
      log_tail: tailBefore(this.paths.log, logEnd, LOG_TAIL_BYTES),
      graph_sha256: sha256(data),
      graph_bytes: data.length,
      ...keepRetired(this.paths, picture),
      plain: this.comments.length === 0 && this.kept.length === 0,
    };
    const current = readMarks(this.paths.mark).current;
    this.writeMarks({ format: 1, ...(current ? { current } : {}), next: mark });
    replaceFile(this.paths.graph, data, { sync: true, draft: this.paths.graphDraft });
    const found = markOf(this.paths.graph);
    writeFileSync(this.paths.base, data, { mode: 0o600 });
    this.writeMarks({ format: 1, current: { ...mark, ...(found ? { graph_mtime: found.mtime } : {}) } });
    if (mark.retired_in !== current?.retired_in) forgetRetired(this.paths, mark);
    this.graphMark = found;
    this.graphBytes = data.length;
    this.writtenSeq = seq;
    this.lastMs = this.clock.now() - begun;
    this.tailEvents = 0;
    this.tailBytes = 0;
    this.dirtySince = undefined;
  }

  private isSmall(state: GraphState): boolean {
    return state.size <= LIMITS.snapshotNodesAtOnce && this.graphBytes <= LIMITS.snapshotBytesAtOnce;
  }

  private textOf(state: GraphState): Buffer {
    return Buffer.from(graphText(state.nodes(), this.comments, this.kept));
  }

  /** The same text, but giving way to others every few thousand lines. */
  private async textInSlices(state: GraphState): Promise<Buffer> {
    const pieces: Buffer[] = [];
    const nodes = sortedById(state.nodes());
    for (let start = 0; start < nodes.length; start += LINES_A_SLICE) {
      const lines = nodes.slice(start, start + LINES_A_SLICE).map(nodeLine);
      pieces.push(Buffer.from(`${lines.join('\n')}\n`));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const above = this.comments.length > 0 ? [Buffer.from(`${this.comments.join('\n')}\n`)] : [];
    const below = this.kept.length > 0 ? [Buffer.from(`${this.kept.join('\n')}\n`)] : [];
    return Buffer.concat([...above, ...pieces, ...below]);
  }

  private writeMarks(marks: MarkFile): void {
    const options = { sync: false, mode: 0o600, draft: `${this.paths.mark}.draft` };
    replaceFile(this.paths.mark, `${JSON.stringify(marks)}\n`, options);
  }
}
