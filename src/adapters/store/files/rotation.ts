import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { GraphState } from '#core/graph/state.js';
import { assert, TroupeError } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { LIMITS } from '#kernel/limits.js';
import type { LogRotation } from '#ports/graph-store.js';
import { parseEntry } from '../log-line.js';
import { gzip, packedBase } from '../packed-base.js';
import { keptLines, type PictureLines } from '../picture-lines.js';
import { type AnsweredLine, answeredSince } from './answered-lines.js';
import { replaceFile, storeError, writeFully } from './disk.js';
import { bytesFrom, logSize } from './log-file.js';
import { allPieces, baseName, pieceName } from './log-pieces.js';

const LINE_FEED = 10;
/** So much of a long log is read to find a line at its beginning or end, and so many times more where it is not in there. */
const LOOK_BYTES = 1024 * 1024;
const LOOK_GROWTH = 8;

/** What a piece is closed with: the graph after its last entry, and where its first one is. */
export interface Closing {
  readonly picture: GraphState;
  readonly lastId: string | undefined;
  /** Requests answered before this moment, in milliseconds, are not asked again. */
  readonly since: number;
  /** `seq` of the first entry of the present log. */
  readonly from: number;
}

/** Whoever writes the log that is closed, under the write lock. */
export interface LogOwner {
  /** Appends the event the next log will begin with, and takes the picture of what was before it. Undefined: nothing was. */
  open(from: number): Closing | undefined;
  /** Takes the new log for its own. `lines`: of the graph as that log begins. */
  adopt(rotated: LogRotation, lines: PictureLines): Promise<void>;
  /** Throws `locked` when the lock is ours no longer. */
  mustOwn(): void;
}

/** Closes the log; undefined where nothing is in it that could be packed away. */
export async function closeLog(paths: GraphLayout, owner: LogOwner): Promise<LogRotation | undefined> {
  owner.mustOwn();
  const from = firstSeq(paths.log);
  const closing = from === undefined ? undefined : owner.open(from);
  if (closing === undefined) return undefined;
  const lines = await toTheEnd(packPiece(paths, closing));
  owner.mustOwn(); // packing took its time
  const rotated = atOnce(cutLog(paths, closing));
  await owner.adopt(rotated, { ...lines, seq: rotated.to + 1 }); // the entry it begins with changes nothing
  return rotated;
}

/** Goes through all steps, and lets others come between. */
async function toTheEnd<Result>(steps: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
  }
}

/** Goes through all steps without giving way to anybody. */
function atOnce<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** `seq` of the first entry in the log; undefined while there is none. */
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
 * The slow half of closing a piece: packs away what stands before the `base` event. The log itself is not touched, and may
 * grow meanwhile. Yields after each thing done to the disk: being killed there leaves files that nobody reads. Returns the lines of the
 * picture, of which the snapshot consists too.
 */
export async function* packPiece(paths: GraphLayout, closing: Closing): AsyncGenerator<string, PictureLines> {
  const { picture, from } = closing;
  const log = bytesFrom(paths.log, 0, offsetOf(paths.log, picture.seq + 1));
  const lines = keptLines(picture);
  try {
    mkdirSync(paths.pieces, { recursive: true });
    yield 'folder made';
    // Packed beside this thread, which puts the text of the graph together meanwhile.
    const [packedEntries, packedGraph] = await Promise.all([gzip([log]), packedBase(picture, lines, closing.lastId)]);
    writePiece(paths, pieceName(from, picture.seq), packedEntries);
    yield 'entries packed';
    writePiece(paths, baseName(picture.seq), packedGraph);
    yield 'graph packed';
    syncFolder(paths.pieces);
    yield 'folder synced';
    keepAnswers(paths, closing, log);
    yield 'answers kept';
    return lines;
  } catch (error) {
    throw storeError(error, paths.pieces);
  }
}

/**
 * The quick half: the log that begins with the `base` event takes the place of the old one. Nothing may be appended in
 * between, so there is no waiting in here. Killed anywhere, the old log or the new one is there, whole.
 */
export function* cutLog(paths: GraphLayout, closing: Closing): Generator<string, LogRotation> {
  const { from, picture } = closing;
  const at = offsetOf(paths.log, picture.seq + 1);
  const rest = bytesFrom(paths.log, at);
  try {
    const descriptor = openSync(paths.logDraft, 'w', 0o644);
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
    // Left behind by one that was killed here before us: what is in it is in ours.
    rmSync(piece.file, { force: true });
    rmSync(path.join(paths.pieces, baseName(piece.to)), { force: true });
    yield 'leftover removed';
  }
  const files = [baseName(picture.seq), pieceName(from, picture.seq)].map((name) => `log/${name}`);
  return { from, to: picture.seq, before: at + rest.length, after: rest.length, files };
}

/**
 * Keeps the answers in what is packed away: the next log begins with an entry that names `lastId` as the one before. Whoever finds
 * another log, or no such file, unpacks the pieces.
 */
function keepAnswers(paths: GraphLayout, { lastId, since }: Closing, log: Buffer): void {
  let lines: readonly AnsweredLine[];
  try {
    lines = answeredSince(paths, log, since);
  } catch (error) {
    if (error instanceof TroupeError) return; // an older piece is damaged: this one is closed all the same
    throw error;
  }
  const kept = lines.slice(-LIMITS.answeredMost);
  const data = `${[JSON.stringify({ last_id: lastId }), ...kept.map(({ text }) => text)].join('\n')}\n`;
  replaceFile(paths.answers, data, { sync: true, mode: 0o600, draft: `${paths.answers}.draft` });
}

function writePiece(paths: GraphLayout, name: string, data: Uint8Array): void {
  replaceFile(path.join(paths.pieces, name), data, { sync: true, draft: paths.pieceDraft });
}

/** Where the line of an entry begins. It is looked for from the end: what is packed away is long. */
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
