import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Entry, EventDraft } from '#core/graph/event.js';
import { parseOwnGraph } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import { mainLine } from '#core/history/log-history.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { LIMITS } from '#kernel/limits.js';
import { parseBase } from '../base-text.js';
import { parseLog, readLog } from './log-file.js';

/** Loaded on use: most commands never meet a closed piece of the log. */
const zlib = () => process.getBuiltinModule('node:zlib');

const PIECE = /^operations-(\d{1,15})-(\d{1,15})\.jsonl\.gz$/;

/** A closed piece of the log: all entries of [from, to], packed. */
export interface Piece {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** The event that becomes the first line of the new log. It changes nothing. */
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

/** The graph as it was after the entry `seq`: where a reader begins who need not know how it came to be. */
export function baseName(seq: number): string {
  return `base-${seq}.jsonl.gz`;
}

/** All packed pieces that lie there, also those a crash left behind. */
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
 * The pieces that lead up to the entry `first`, the oldest first. A crash in the middle of closing a piece leaves one that
 * ends where the log has not been cut: it is no link of the chain, and nobody reads it.
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

/** The graph after the entry `seq`; undefined when there is no base of it, or none that can be read. */
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
    return zlib().gunzipSync(readFileSync(file), { maxOutputLength: LIMITS.unpackedBytes });
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
 * The state that a log says, up to the entry `to`. Behind a `base` in its first line lies a packed graph; where that is
 * gone, the packed pieces say the same; where they are gone too, the answer is undefined.
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

/** The state that a line of entries goes on from: what a `base` in its first one stands for, else nothing. */
export function stateBeforeLine(paths: GraphLayout, line: readonly Entry[]): GraphState | undefined {
  const [first] = line;
  return first?.op === 'base' ? stateBefore(paths, first.seq, Number.POSITIVE_INFINITY) : new GraphState();
}

/** The state after the entry `to` and before the entry `first`: from the nearest base, or from the beginning. */
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

/** The present log as one line: what branches brought and a merge took in lies beside it, and is not repeated. */
export function presentLine(paths: GraphLayout): readonly Entry[] {
  return mainLine(readLog(paths.log).entries);
}

/** All entries with `seq` in [from, to], in order, a piece at a time. The present log is read first: it may be cut meanwhile. */
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

/** `seq` of the last entry that was made until this moment; 0 when all are younger. */
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
