import type { Retired } from '#core/graph/departed.js';
import type { Entry, EventDraft } from '#core/graph/event.js';
import { type ParsedGraph, parseGraph, parseOwnGraph } from '#core/graph/line.js';
import type { Outline } from '#core/graph/outline.js';
import { packEvents } from '#core/graph/packing.js';
import { GraphState } from '#core/graph/state.js';
import type { GraphNode } from '#core/graph/task.js';
import { fieldsOf } from '#core/graph/task-field.js';
import { isOneLine } from '#core/history/log-history.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import { type JsonObject, parseJsonObject } from '#kernel/json.js';
import type { StoreProblem } from '#ports/graph-store.js';
import { LazyGraph } from '../lazy-graph.js';
import { type BeyondMark, beyondNodes, readRetired } from './beyond-nodes.js';
import {
  type FileMark,
  fileIdentity,
  folderIdentity,
  linePieces,
  markOf,
  readBytes,
  readText,
  textOf,
} from './disk.js';
import { type LogReading, logSize, readLog, tailBefore } from './log-file.js';
import type { keptOutline } from './outline-file.js';
import { reconcile, type SnapshotOnDisk, withSnapshotSum } from './reconciliation.js';

/** Log position of a snapshot, and data to recognise both files. */
export interface SnapshotMark extends BeyondMark {
  readonly seq: number;
  readonly last_id?: string;
  readonly log_bytes: number;
  /** Last bytes before `log_bytes`, base64. They identify the log. */
  readonly log_tail: string;
  readonly graph_sha256: string;
  readonly graph_bytes: number;
  readonly graph_mtime?: string;
  /** Whether the snapshot contains only nodes: no comments, no unreadable lines. */
  readonly plain: boolean;
}

/** Marks of the snapshot. `next` is written before the replacement, so a crash between is not taken for a hand edit. */
export interface MarkFile {
  readonly format: 1;
  /** Identity of the folder it was written in. In a copy of the folder the marks prove nothing. */
  readonly folder?: string;
  readonly current?: SnapshotMark;
  readonly next?: SnapshotMark;
}

export const LOG_TAIL_BYTES = 64;

export interface Loaded {
  readonly graph: LazyGraph;
  /** Id of the last entry, the predecessor of the next. */
  readonly lastId: string | undefined;
  readonly log: LogReading;
  readonly logIdentity: string;
  readonly comments: readonly string[];
  /** Lines that could not be parsed; they are written back unchanged. */
  readonly unreadableLines: readonly string[];
  readonly problems: readonly StoreProblem[];
  /** Changes to the snapshot by hand or another tool; included in `graph`, to be logged with the next commit. */
  readonly pending: readonly EventDraft[];
  /** File mark of the snapshot when it was read. */
  readonly graphMark: FileMark | undefined;
  /** Whether the mark on disk matches exactly; if not, the next writer renews it. */
  readonly marked: boolean;
  /** Mark that identified the snapshot as ours; after a crash, the announced one. */
  readonly mark: SnapshotMark | undefined;
  readonly snapshotSeq: number;
}

/** Maximum attempts to read while a writer replaces the files. */
const MAX_READ_ATTEMPTS = 10;

/**
 * Reads snapshot and log into a graph. Never writes, needs no lock, and never fails because of a bad line. With
 * `outlines`, callers that read few tasks skip parsing the lines of the others.
 */
export function loadStore(paths: GraphLayout, outlines?: typeof keptOutline): Loaded {
  for (let look = 1; ; look++) {
    const before = readText(paths.mark);
    const log = fileIdentity(paths.log);
    const loaded = loadOnce(paths, outlines);
    // An apparent hand edit may be a snapshot replaced between two reads, and a log cut meanwhile was read from the
    // wrong offset.
    const still = () => readText(paths.mark) === before && sameMark(markOf(paths.graph), loaded.graphMark);
    const same = fileIdentity(paths.log) === log && (loaded.pending.length === 0 || still());
    if (same || look === MAX_READ_ATTEMPTS) return { ...loaded, logIdentity: log };
  }
}

function sameMark(left: FileMark | undefined, right: FileMark | undefined): boolean {
  return left?.bytes === right?.bytes && left?.mtime === right?.mtime;
}

function loadOnce(paths: GraphLayout, outlines?: typeof keptOutline): Omit<Loaded, 'logIdentity'> {
  const marks = readMarks(paths.mark);
  const graphMark = markOf(paths.graph);
  const bytes = readBytes(paths.graph) ?? Buffer.alloc(0);
  const own = ownSnapshot(paths, marks, graphMark, bytes);
  if (own?.mark.plain) {
    const common = { comments: [], unreadableLines: [], problems: [], graphMark };
    const outline = outlines?.(paths, own.mark.graph_sha256, bytes);
    return fromOwnSnapshot(paths, own, () => parseOwnGraph(linePieces(bytes)), { bytes, outline }, common);
  }
  const text = textOf(bytes);
  const parsed = parseGraph(text);
  const problems = graphProblems(paths.graph, parsed);
  const common = { comments: parsed.comments, unreadableLines: parsed.bad.map((bad) => bad.text), problems, graphMark };
  if (own) return fromOwnSnapshot(paths, own, () => [...parsed.nodes.values()], undefined, common);

  const log = readLog(paths.log);
  const whole = [...problems, ...logProblems(paths.log, log)];
  if (log.entries.length === 0) {
    const state = new GraphState(undefined, parsed.nodes.size);
    state.load(parsed.nodes.values(), 0);
    const pending = adoption({ ...parsed, sum: sha256(bytes) });
    return { ...common, ...unmarked(state), log, lastId: undefined, pending, problems: whole };
  }
  const snapshot = text === '' ? undefined : { ...parsed, sum: sha256(bytes) };
  const reconciled = reconcile(paths, ownMark(paths, marks), snapshot, log.entries);
  const { lastId, pending } = reconciled;
  return {
    ...common,
    ...unmarked(reconciled.state),
    log,
    lastId,
    pending,
    problems: [...whole, ...reconciled.problems],
  };
}

/** Wraps a loaded state that no snapshot on disk matches exactly. */
function unmarked(state: GraphState): Pick<Loaded, 'graph' | 'marked' | 'mark' | 'snapshotSeq'> {
  return { graph: LazyGraph.of(state), marked: false, mark: undefined, snapshotSeq: 0 };
}

/** Combines snapshot and log tail, as nearly every start does. `plain`: the snapshot, if it has only nodes. */
function fromOwnSnapshot(
  paths: GraphLayout,
  own: OwnSnapshot,
  nodes: () => readonly GraphNode[],
  plain: { readonly bytes: Buffer; readonly outline: Outline | undefined } | undefined,
  common: Pick<Loaded, 'comments' | 'unreadableLines' | 'problems' | 'graphMark'>,
): Omit<Loaded, 'logIdentity'> {
  const { log } = own;
  let retiredList: readonly Retired[] | undefined;
  const retired = () => {
    retiredList ??= readRetired(paths, own.mark);
    return retiredList;
  };
  const stateOf = (entries: readonly Entry[]) => {
    const list = nodes();
    const state = new GraphState(undefined, list.length);
    state.load(list, own.mark.seq, beyondNodes(own.mark, retired()));
    for (const entry of entries) state.apply(entry);
    return state;
  };
  const graphOf = ({ bytes, outline }: NonNullable<typeof plain>) => {
    const lines = { text: () => textOf(bytes), outline, seq: own.mark.seq, retired, lastRun: own.mark.last_run };
    return LazyGraph.from({ lines, stateOf, retiredSeq: own.mark.retired_seq ?? own.mark.seq }, log.entries);
  };
  return {
    ...common,
    graph: plain === undefined ? LazyGraph.of(stateOf(log.entries)) : graphOf(plain),
    log,
    lastId: log.entries.at(-1)?.id ?? own.mark.last_id,
    pending: [],
    marked: own.exact,
    mark: own.mark,
    snapshotSeq: own.mark.seq,
    problems: [...common.problems, ...logProblems(paths.log, log)],
  };
}

interface OwnSnapshot {
  readonly mark: SnapshotMark;
  /** Whether the mark on disk is current; if false, the contents match but the mark must be renewed. */
  readonly exact: boolean;
  /** Log entries after the snapshot. */
  readonly log: LogReading;
}

/** Returns the snapshot if this store wrote it from the present log, so that only the log's tail needs to be read. */
function ownSnapshot(
  paths: GraphLayout,
  marks: MarkFile,
  graphMark: FileMark | undefined,
  bytes: Buffer,
): OwnSnapshot | undefined {
  const looksLike = (mark: SnapshotMark | undefined): mark is SnapshotMark =>
    mark !== undefined && graphMark?.bytes === mark.graph_bytes && graphMark.mtime === mark.graph_mtime;
  let snapshot: Omit<OwnSnapshot, 'log'> | undefined;
  if (looksLike(marks.current)) snapshot = { mark: marks.current, exact: true };
  else if (graphMark) {
    const same = [marks.next, marks.current].find(
      (mark) => mark?.graph_bytes === bytes.length && mark.graph_sha256 === sha256(bytes),
    );
    if (same) snapshot = { mark: same, exact: false };
  }
  if (!snapshot || logSize(paths.log) < snapshot.mark.log_bytes) return undefined;
  if (tailBefore(paths.log, snapshot.mark.log_bytes, LOG_TAIL_BYTES) !== snapshot.mark.log_tail) return undefined;
  const log = readLog(paths.log, snapshot.mark.log_bytes);
  // If the log was cut or branches were merged, the tail does not continue from the snapshot.
  return isOneLine(log.entries, { seq: snapshot.mark.seq, id: snapshot.mark.last_id })
    ? { ...snapshot, log }
    : undefined;
}

/**
 * Returns the entries that others appended after this position, if that is the only change to the log: whole lines,
 * each the successor of the previous one. Undefined if the log must be read from the beginning.
 */
export function appendedSince(
  paths: GraphLayout,
  position: LogPosition,
  seq: number,
): { log: LogReading; position: LogPosition } | undefined {
  const { lastId, logEnd } = position;
  const log = readLog(paths.log, logEnd);
  const isPlain = log.bad.length === 0 && log.later === undefined && log.end === log.size;
  if (!isPlain || !isOneLine(log.entries, { seq, id: lastId })) return undefined;
  return { log, position: { ...position, lastId: log.entries.at(-1)?.id ?? lastId, logEnd: log.end } };
}

/**
 * Returns the mark of our last snapshot if it was written in this folder. A copy of a running service's folder has
 * files from different moments: an older snapshot beside a newer mark is not a hand edit.
 */
export function ownMark(paths: GraphLayout, marks: MarkFile): SnapshotMark | undefined {
  return marks.folder === folderIdentity(paths.service) ? marks.current : undefined;
}

/** Adopts a graph without a log, written by the original tool or by hand, in events of bounded size. */
function adoption(parsed: SnapshotOnDisk): EventDraft[] {
  if (parsed.nodes.size === 0) return [];
  const parcels = [...parsed.nodes.values()].map((node) => ({ patch: { id: node.id, put: fieldsOf(node) } }));
  return withSnapshotSum(
    packEvents('adopt', parcels, (here) => ({ tasks: here.length })),
    parsed,
  );
}

export function readMarks(file: string): MarkFile {
  const value = parseJsonObject(readText(file) ?? '');
  return value !== undefined && isMarkFile(value) ? value : { format: 1 };
}

function isMarkFile(value: JsonObject): value is JsonObject & MarkFile {
  return value['format'] === 1;
}

/** Problems in the lines of the snapshot. */
export function graphProblems(file: string, parsed: ParsedGraph): StoreProblem[] {
  return [
    ...parsed.bad.map(
      (bad): StoreProblem => ({
        severity: 'error',
        code: 'corrupt',
        text: `${bad.reason}; the line is kept unchanged`,
        file,
        line: bad.line,
      }),
    ),
    ...parsed.duplicates.map(
      (duplicate): StoreProblem => ({
        severity: 'warning',
        code: 'duplicate_id',
        text: `the id ${duplicate.id} appears again; the last line is used`,
        file,
        line: duplicate.line,
      }),
    ),
    ...parsed.conflicts.map(
      (line): StoreProblem => ({
        severity: 'warning',
        code: 'conflict',
        text: 'a git conflict; both sides are merged, the markers removed',
        file,
        line,
      }),
    ),
  ];
}

/** Problems in the lines of the log. */
export function logProblems(file: string, log: LogReading): StoreProblem[] {
  const later: StoreProblem[] =
    log.later === undefined
      ? []
      : [{ severity: 'error', code: 'newer_format', text: 'written by a later version', file, line: log.later }];
  const bad = log.bad.map(
    (bad): StoreProblem => ({
      severity: 'error',
      code: 'corrupt',
      text: `${bad.reason}; it is kept and skipped`,
      file,
      line: bad.line,
    }),
  );
  return [...later, ...bad];
}

/** Log position of the graph in memory. Immutable. */
export interface LogPosition {
  /** Id of the last entry, the predecessor of the next. */
  readonly lastId: string | undefined;
  /** Log bytes up to and including the last entry. */
  readonly logEnd: number;
  /** Identity of the log file, to detect that another file replaced it. */
  readonly identity: string;
}

export function positionOf({ lastId, log, logIdentity: identity }: Loaded): LogPosition {
  return { lastId, logEnd: log.end, identity };
}

/** Position after `bytes` were appended to the log with this identity, which may be a new file. */
export function advanced(
  { logEnd }: LogPosition,
  lastId: string | undefined,
  { bytes, identity }: { readonly bytes: number; readonly identity: string },
): LogPosition {
  return { lastId, logEnd: logEnd + bytes, identity };
}

/** Position in the log that replaced the present one, shorter by the packed entries. */
export function inNextLog(position: LogPosition, log: string, packedBytes: number): LogPosition {
  return { ...position, logEnd: position.logEnd - packedBytes, identity: fileIdentity(log) };
}
