import { closeSync, fsync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import type { GraphState } from '#core/graph/state.js';
import { assert, TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE, SHARED_FILE } from '#kernel/file-modes.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import type { LogRotation } from '#ports/graph-store.js';
import { parseEntry } from '../log-line.js';
import { gzip, packedBase } from '../packed-base.js';
import { cachedLines, type PictureLines } from '../picture-lines.js';
import { answeredLines } from './answered-lines.js';
import { replaceByDraft, SYSTEM_DISK, storeError, writeFully } from './disk.js';
import { bytesFrom, logSize } from './log-file.js';
import { allPieces, baseName, pieceName } from './log-pieces.js';

const LINE_FEED = 10;
const LINE_END = Buffer.of(LINE_FEED);
/** Bytes read first to find a line near an end of a long log; each further read is `LOOK_GROWTH` times as long. */
const LOOK_BYTES = 1024 * 1024;
const LOOK_GROWTH = 8;

/** Data to close a segment: the graph after its last entry, and the position of its first one. */
export interface Closing {
  readonly picture: GraphState;
  readonly lastId: string | undefined;
  /** Time in milliseconds; requests answered before it will not be repeated. */
  readonly since: number;
  /** `seq` of the first entry of the present log. */
  readonly from: number;
}

/** Writer of the log to be closed. Holds the write lock. */
export interface LogOwner {
  /** Appends the first event of the next log and captures the graph before it; undefined if nothing needs closing. */
  open(from: number): Promise<Closing | undefined>;
  /** Adopts the new log. `lines`: serialised graph at its start. */
  adopt(rotated: LogRotation, lines: PictureLines): Promise<void>;
  /** Errors: `locked` if the lock was lost. */
  mustOwn(): void;
  /** Settles when changes may be on disk that were decided; the log may not be replaced while there are any. */
  appending(): Promise<void> | undefined;
}

/** Closes the log. Returns undefined if it contains nothing to pack. */
export async function closeLog(paths: GraphLayout, owner: LogOwner): Promise<LogRotation | undefined> {
  owner.mustOwn();
  const from = firstSeq(paths.log);
  const closing = from === undefined ? undefined : await owner.open(from);
  if (closing === undefined) return undefined;
  const lines = await toTheEnd(packPiece(paths, closing));
  for (let append = owner.appending(); append; append = owner.appending()) await append;
  owner.mustOwn(); // the lock may have been lost while packing
  const rotated = atOnce(cutLog(paths, closing));
  await owner.adopt(rotated, { ...lines, seq: rotated.to + 1 }); // its base entry changes nothing
  return rotated;
}

/** Runs all steps and yields between them. */
async function toTheEnd<Result>(steps: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
  }
}

/** Runs all steps synchronously. */
function atOnce<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** `seq` of the first entry in the log; undefined if it is empty. */
export function firstSeq(log: string): number | undefined {
  for (let most = LOOK_BYTES; ; most *= LOOK_GROWTH) {
    const head = bytesFrom(log, 0, most);
    for (const text of linesOf(head)) {
      const entry = parseEntry(text);
      if (entry) return entry.seq;
    }
    if (head.length < most) return undefined;
  }
}

/**
 * Slow phase: packs the entries before the `base` event. Does not touch the log, which may grow meanwhile. Yields after
 * each disk operation (tests stop there): a process killed here leaves files that are never read. Returns the
 * serialised graph, which the next snapshot reuses.
 */
export async function* packPiece(paths: GraphLayout, closing: Closing): AsyncGenerator<string, PictureLines> {
  const { picture, from } = closing;
  const log = bytesFrom(paths.log, 0, offsetOf(paths.log, picture.seq + 1));
  const lines = cachedLines(picture);
  try {
    mkdirSync(paths.pieces, { recursive: true });
    yield 'folder made';
    // Compresses on other threads while this one serialises the graph.
    const [packedEntries, packedGraph] = await Promise.all([gzip([log]), packedBase(picture, lines, closing.lastId)]);
    await writePiece(paths, pieceName(from, picture.seq), packedEntries);
    yield 'entries packed';
    await writePiece(paths, baseName(picture.seq), packedGraph);
    yield 'graph packed';
    syncFolder(paths.pieces);
    yield 'folder synced';
    await keepAnswers(paths, closing, log);
    yield 'answers kept';
    return lines;
  } catch (error) {
    throw storeError(error, paths.pieces);
  }
}

/**
 * Fast phase: replaces the log with one that starts at the `base` event. Synchronous, because nothing may be appended
 * meanwhile. A kill at any point leaves the complete old or new log.
 */
export function* cutLog(paths: GraphLayout, closing: Closing): Generator<string, LogRotation> {
  const { from, picture } = closing;
  const at = offsetOf(paths.log, picture.seq + 1);
  const rest = bytesFrom(paths.log, at);
  try {
    const descriptor = openSync(paths.logDraft, 'w', SHARED_FILE);
    try {
      writeFully(descriptor, rest);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    yield 'new log drafted';
    renameSync(paths.logDraft, paths.log);
    yield 'log replaced';
    syncFolder(paths.folder);
    yield 'log synced';
  } catch (error) {
    rmSync(paths.logDraft, { force: true });
    throw storeError(error, paths.log);
  }
  for (const piece of allPieces(paths)) {
    if (piece.from !== from || piece.to >= picture.seq) continue;
    // Leftover of an earlier process killed here: our segment contains its entries.
    rmSync(piece.file, { force: true });
    rmSync(path.join(paths.pieces, baseName(piece.to)), { force: true });
    yield 'leftover removed';
  }
  const files = [baseName(picture.seq), pieceName(from, picture.seq)].map((name) => `log/${name}`);
  return { from, to: picture.seq, before: at + rest.length, after: rest.length, files };
}

/**
 * Stores the answers of the packed entries. `last_id` ties the file to the next log, whose first entry has it as
 * predecessor. If it does not match or the file is missing, readers search the segments.
 */
async function keepAnswers(paths: GraphLayout, { lastId, since }: Closing, log: Buffer): Promise<void> {
  let lines: readonly Buffer[];
  try {
    lines = answeredLines(paths, log, since);
  } catch (error) {
    if (error instanceof TroupeError) return; // an older segment is damaged; this one is closed anyway
    throw error;
  }
  const head = Buffer.from(JSON.stringify({ last_id: lastId }));
  const data = Buffer.concat([head, ...lines].flatMap((line) => [line, LINE_END]));
  await replaceLargeFile(paths.answers, data, { mode: PRIVATE_FILE, draft: `${paths.answers}.draft` });
}

/** Replaces a large file and flushes it. Does not block the process while the disk writes. */
async function replaceLargeFile(
  file: string,
  data: Uint8Array,
  { draft, mode }: { readonly draft: string; readonly mode: number },
): Promise<void> {
  try {
    const descriptor = openSync(draft, 'w', mode);
    try {
      writeFully(descriptor, data);
      await promisify(fsync)(descriptor);
    } finally {
      closeSync(descriptor);
    }
  } catch (error) {
    rmSync(draft, { force: true });
    throw storeError(error, file);
  }
  replaceByDraft(SYSTEM_DISK, file, draft);
}

async function writePiece(paths: GraphLayout, name: string, data: Uint8Array): Promise<void> {
  await replaceLargeFile(path.join(paths.pieces, name), data, { mode: SHARED_FILE, draft: paths.pieceDraft });
}

/** Byte offset of an entry's line. Searches backwards because the part before it is long. */
function offsetOf(file: string, seq: number): number {
  const mark = `"seq":${seq},`;
  const size = logSize(file);
  for (let most = LOOK_BYTES, from = size; from > 0; most *= LOOK_GROWTH) {
    from = Math.max(0, size - most);
    const tail = bytesFrom(file, from);
    for (let at = tail.lastIndexOf(mark); at !== -1; ) {
      const start = tail.lastIndexOf(LINE_FEED, at) + 1;
      const stop = tail.indexOf(LINE_FEED, at);
      if (stop !== -1 && parseEntry(tail.toString('utf8', start, stop))?.seq === seq) return from + start;
      at = start === 0 ? -1 : tail.lastIndexOf(mark, start - 1);
    }
  }
  assert(false, `the log holds the entry ${seq}`);
}

function* linesOf(log: Buffer): Iterable<string> {
  for (let start = 0; start < log.length; ) {
    const stop = log.indexOf(LINE_FEED, start);
    if (stop === -1) return;
    yield log.toString('utf8', start, stop);
    start = stop + 1;
  }
}

function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
