import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Entry, EventDraft } from '#core/graph/event.js';
import { parseOwnGraph } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import { mainLine } from '#core/history/log-history.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { parseBase } from '../base-text.js';
import { parseLog, readLog } from './log-file.js';

/** Loaded on use: most commands never meet a closed log segment. */
const zlib = () => process.getBuiltinModule('node:zlib');

const PIECE = /^operations-(\d{1,15})-(\d{1,15})\.jsonl\.gz$/;

/** Closed log segment: all entries of [from, to], compressed. */
export interface Piece {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** Event for the first line of a new log; it changes nothing. */
export function baseEvent(from: number, to: number): EventDraft {
  return {
    op: 'base',
    detail: { base: `log/${baseName(to)}`, operations: `log/${pieceName(from, to)}` },
    patch: [],
  };
}

export function pieceName(from: number, to: number): string {
  return `operations-${from}-${to}.jsonl.gz`;
}

/** File name of the packed graph after the entry `seq`. */
export function baseName(seq: number): string {
  return `base-${seq}.jsonl.gz`;
}

/** All compressed segments present, including leftovers of a crash. */
export function allPieces(paths: GraphLayout): Piece[] {
  let names: string[];
  try {
    names = readdirSync(paths.pieces);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
  return names.flatMap((name) => {
    const [, from, to] = PIECE.exec(name) ?? [];
    const file = path.join(paths.pieces, name);
    if (from === undefined || lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return [];
    return [{ file, from: Number(from), to: Number(to) }];
  });
}

/**
 * Returns the chain of segments up to the entry `first`, oldest first. A crash while closing leaves a segment that ends
 * where the log was not cut: it is not part of the chain and is ignored.
 */
export function piecesBefore(paths: GraphLayout, first: number): Piece[] {
  const byEnd = new Map<number, Piece>();
  for (const piece of allPieces(paths)) {
    const other = byEnd.get(piece.to);
    if (piece.from <= piece.to && (other === undefined || piece.from < other.from)) byEnd.set(piece.to, piece);
  }
  const chain: Piece[] = [];
  for (let piece = byEnd.get(first - 1); piece !== undefined; piece = byEnd.get(piece.from - 1)) chain.unshift(piece);
  return chain;
}

export function readPiece(piece: Piece): readonly Entry[] {
  return mainLine(parseLog(unpacked(piece.file)).entries);
}

/** Returns the graph after the entry `seq`; undefined if there is no readable base. */
export function readBase(paths: GraphLayout, seq: number): GraphState | undefined {
  const file = path.join(paths.pieces, baseName(seq));
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  try {
    const base = parseBase(unpacked(file).toString('utf8'), seq);
    if (base === undefined) return undefined;
    const state = new GraphState();
    state.load(parseOwnGraph([base.nodes]), seq, base);
    return state;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TroupeError) return undefined;
    throw error;
  }
}

export function unpacked(file: string): Buffer {
  try {
    return zlib().gunzipSync(readFileSync(file), { maxOutputLength: WORK_LIMITS.unpackedBytes });
  } catch (error) {
    const name = path.basename(file);
    throw new TroupeError('corrupt', {
      what: `The log segment ${name} cannot be unpacked.`,
      hint: `Restore log/${name} from version control or a backup.`,
      cause: error,
    });
  }
}

/**
 * Replays a log up to the entry `to`. If its first line is a `base`, starts from the packed graph; if that is missing,
 * from the segments; if they are missing too, returns undefined.
 */
export function stateOfLog(
  paths: GraphLayout,
  entries: readonly Entry[],
  to = Number.POSITIVE_INFINITY,
): GraphState | undefined {
  const [first] = entries;
  const state = first?.op === 'base' ? stateBefore(paths, first.seq, to) : new GraphState();
  for (const entry of entries) if (entry.seq <= to) state?.apply(entry);
  return state;
}

/** State before a line of entries: the one its `base` refers to, otherwise an empty graph. */
export function stateBeforeLine(paths: GraphLayout, line: readonly Entry[]): GraphState | undefined {
  const [first] = line;
  return first?.op === 'base' ? stateBefore(paths, first.seq, Number.POSITIVE_INFINITY) : new GraphState();
}

/** State after the entry `to` and before the entry `first`, replayed from the nearest base or from the beginning. */
function stateBefore(paths: GraphLayout, first: number, to: number): GraphState | undefined {
  const pieces = piecesBefore(paths, first);
  for (let begin = pieces.length; begin >= 0; begin--) {
    const baseSeq = (pieces[begin]?.from ?? first) - 1;
    const state = baseSeq > to ? undefined : baseSeq === 0 ? new GraphState() : readBase(paths, baseSeq);
    if (!state) continue;
    for (const piece of pieces.slice(begin)) {
      if (piece.from > to) break;
      for (const entry of readPiece(piece)) if (entry.seq <= to) state.apply(entry);
    }
    return state;
  }
  return undefined;
}

/** Main line of the present log. Entries of merged branches are left out: the main line contains their changes. */
export function presentLine(paths: GraphLayout): readonly Entry[] {
  return mainLine(readLog(paths.log).entries);
}

/** Yields all entries with `seq` in [from, to] by segment. Reads the present log first, as it may be cut meanwhile. */
export function* readAcross(paths: GraphLayout, from: number, to: number): Iterable<readonly Entry[]> {
  const present = presentLine(paths);
  const inRange = (entries: readonly Entry[]) => entries.filter((entry) => entry.seq >= from && entry.seq <= to);
  const first = present[0]?.seq;
  if (first !== undefined && first > from) {
    for (const piece of piecesBefore(paths, first)) {
      if (piece.to >= from && piece.from <= to) yield inRange(readPiece(piece));
    }
  }
  yield inRange(present);
}

/** `seq` of the last entry up to a time; 0 if all are later. */
export function seqUntil(paths: GraphLayout, moment: number): number {
  const until = (entries: readonly Entry[]) =>
    entries.findLast((entry) => Date.parse(entry.timestamp) <= moment)?.seq ?? 0;
  const present = presentLine(paths);
  let seq = until(present);
  const older = piecesBefore(paths, present[0]?.seq ?? 0);
  while (seq === 0 && older.length > 0) {
    const piece = older.pop();
    if (piece) seq = until(readPiece(piece));
  }
  return seq;
}
