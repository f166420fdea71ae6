import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { GraphState } from '#core/graph/state.js';
import { assert, TroupeError } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { LIMITS } from '#kernel/limits.js';
import type { LogRotation } from '#ports/graph-store.js';
import { parseEntry } from '../log-line.js';
import { gzip, packedBase } from '../packed-base.js';
import { type AnsweredLine, answeredSince } from './answered-lines.js';
import { replaceFile, storeError, writeFully } from './disk.js';
import { bytesFrom } from './log-file.js';
import { allPieces, baseName, pieceName } from './log-pieces.js';

const LINE_FEED = 10;

/** What a piece is closed with: the graph after its last entry, and where its first one is. */
export interface Closing {
  readonly picture: GraphState;
  readonly lastId: string | undefined;
  /** Requests answered before this moment, in milliseconds, are not asked again. */
  readonly since: number;
  /** `seq` of the first entry of the present log. */
  readonly from: number;
}

/** `seq` of the first entry in the log; undefined while there is none. */
export function firstSeq(log: Buffer): number | undefined {
  for (const { text } of linesOf(log)) {
    const entry = parseEntry(text);
    if (entry) return entry.seq;
  }
  return undefined;
}

/**
 * The slow half of closing a piece: packs away what stands before the `base` event. The log itself is not touched, and may
 * grow meanwhile. Yields after each thing done to the disk: being killed there leaves files that nobody reads.
 */
export async function* packPiece(paths: GraphLayout, closing: Closing): AsyncGenerator<string, void> {
  const { picture, from } = closing;
  const log = bytesFrom(paths.log, 0);
  try {
    mkdirSync(paths.pieces, { recursive: true });
    yield 'folder made';
    // Packed beside this thread, which puts the text of the graph together meanwhile.
    const entries = gzip(log.subarray(0, offsetOf(log, picture.seq + 1)));
    const [packedEntries, packedGraph] = await Promise.all([entries, packedBase(picture, closing.lastId)]);
    writePiece(paths, pieceName(from, picture.seq), packedEntries);
    yield 'entries packed';
    writePiece(paths, baseName(picture.seq), packedGraph);
    yield 'graph packed';
    syncFolder(paths.pieces);
    yield 'folder synced';
    keepAnswers(paths, closing);
    yield 'answers kept';
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
  const log = bytesFrom(paths.log, 0);
  const at = offsetOf(log, picture.seq + 1);
  try {
    const descriptor = openSync(paths.logDraft, 'w', 0o644);
    try {
      writeFully(descriptor, log.subarray(at));
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
  return { from, to: picture.seq, before: log.length, after: log.length - at, files };
}

/**
 * Keeps the answers in what is packed away: the next log begins with an entry that names `lastId` as the one before. Whoever finds
 * another log, or no such file, unpacks the pieces.
 */
function keepAnswers(paths: GraphLayout, { picture, lastId, since }: Closing): void {
  let lines: readonly AnsweredLine[];
  try {
    lines = answeredSince(paths, since);
  } catch (error) {
    if (error instanceof TroupeError) return; // an older piece is damaged: this one is closed all the same
    throw error;
  }
  const kept = lines.filter(({ entry }) => entry.seq <= picture.seq).slice(-LIMITS.answeredMost);
  const data = `${[JSON.stringify({ last_id: lastId }), ...kept.map(({ text }) => text)].join('\n')}\n`;
  replaceFile(paths.answers, data, { sync: true, mode: 0o600, draft: `${paths.answers}.draft` });
}

function writePiece(paths: GraphLayout, name: string, data: Uint8Array): void {
  replaceFile(path.join(paths.pieces, name), data, { sync: true, draft: paths.pieceDraft });
}

/** Where the line of an entry begins. It is looked for from the end: what is packed away is long. */
function offsetOf(log: Buffer, seq: number): number {
  const mark = `"seq":${seq},`;
  for (let at = log.lastIndexOf(mark); at !== -1; ) {
    const start = log.lastIndexOf(LINE_FEED, at) + 1;
    const stop = log.indexOf(LINE_FEED, at);
    if (stop !== -1 && parseEntry(log.toString('utf8', start, stop))?.seq === seq) return start;
    at = start === 0 ? -1 : log.lastIndexOf(mark, start - 1);
  }
  assert(false, `the log holds the entry ${seq}`);
}

function* linesOf(log: Buffer): Iterable<{ start: number; text: string }> {
  for (let start = 0; start < log.length; ) {
    const stop = log.indexOf(LINE_FEED, start);
    if (stop === -1) return;
    yield { start, text: log.toString('utf8', start, stop) };
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
