import { existsSync, watch } from 'node:fs';
import type { Entry } from '#core/graph/event.js';
import { momentOf } from '#core/graph/time.js';
import type { GraphView } from '#core/graph/view.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import type { ChangeSignal } from '../change-signal.js';
import { followLog } from './log-follower.js';
import { presentLine, readAcross, seqUntil, stateOfLog } from './log-pieces.js';

/**
 * Reader of the log and its closed segments. `place` returns their current paths; `onDisk` resolves once all that was
 * written is on disk: until then an entry is missing in the graph, and may still be taken back.
 */
export class LogReader {
  private readonly place: () => GraphLayout;
  private readonly news: ChangeSignal;
  private readonly onDisk: () => Promise<void>;

  constructor(place: () => GraphLayout, news: ChangeSignal, onDisk: () => Promise<void>) {
    this.place = place;
    this.news = news;
    this.onDisk = onDisk;
  }

  /** Resolves an entry number or a time (ISO 8601) to the `seq` of the last entry up to it. */
  seqAt(at: number | string | undefined): number {
    return typeof at === 'string' ? seqUntil(this.place(), momentOf(at)) : (at ?? Number.POSITIVE_INFINITY);
  }

  /** Returns the graph after the entry `seq`. Errors: `corrupt` if a log segment is missing. */
  graphAt(seq: number): GraphView {
    const paths = this.place();
    const earlier = stateOfLog(paths, presentLine(paths), seq);
    if (earlier) return earlier;
    throw new TroupeError('corrupt', {
      what: `The graph after entry ${seq} cannot be read: a log segment is missing.`,
      hint: 'Restore the files in .workgraph/log/ from version control or a backup.',
    });
  }

  async *entries(from: number, to: number): AsyncIterable<Entry> {
    if (from < 1) yield* (await import('./legacy-log.js')).legacyEntries(this.place());
    await this.onDisk();
    for (const entries of readAcross(this.place(), from, to)) {
      yield* entries;
      await new Promise((resolve) => setImmediate(resolve)); // yields between large segments
      await this.onDisk();
    }
  }

  /** Yields past and future entries. `othersWrite`: watch the file, as `news` reports only this process's changes. */
  async *follow(from: number, signal: AbortSignal, othersWrite: boolean, closed: () => boolean): AsyncIterable<Entry> {
    const { log } = this.place();
    const watcher = othersWrite && existsSync(log) ? watch(log, () => this.news.notify()) : undefined;
    try {
      yield* followLog(
        this.place,
        from,
        () => this.onDisk(),
        () => this.news.next(signal),
        () => signal.aborted || closed(),
      );
    } finally {
      watcher?.close();
    }
  }
}
