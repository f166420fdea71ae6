import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Entry, EventDraft } from '#core/graph/event.js';
import { handEdit } from '#core/graph/hand-edit.js';
import { type ParsedGraph, parseGraph } from '#core/graph/line.js';
import { GraphState } from '#core/graph/state.js';
import type { GraphNode } from '#core/graph/task.js';
import { heldBack, isRunAtWork } from '#core/graph/unverified-edit.js';
import { firstParent, isOneLine, LogHistory } from '#core/history/log-history.js';
import { fileDifferences, handEditEvents } from '#core/history/merge-conflicts.js';
import { mergeEvents, mergeHeads } from '#core/history/merge-heads.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { GraphLayout } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import { sameJson } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import type { StoreProblem } from '#ports/graph-store.js';
import { type BeyondMark, beyondNodes, readRetired } from './beyond-nodes.js';
import { readText } from './disk.js';
import { allPieces, readPiece, stateBeforeLine } from './log-pieces.js';

/** State of the snapshot when this store last wrote it. */
export interface Written extends BeyondMark {
  readonly seq: number;
  readonly last_id?: string;
  readonly graph_sha256: string;
}

export interface Reconciled {
  /** State including everything pending. */
  readonly state: GraphState;
  /** Id of the entry that the next one follows. */
  readonly lastId: string | undefined;
  /** Events to log first: merges of branches and hand edits. */
  readonly pending: readonly EventDraft[];
  readonly problems: readonly StoreProblem[];
}

/** Snapshot as it is on disk. */
export interface SnapshotOnDisk extends ParsedGraph {
  /** SHA-256 of its bytes, as hex. */
  readonly sum: string;
}

/**
 * Derives the state from a log and a snapshot that were not both written by this store: after a checkout, a merge of
 * branches or a hand edit. `mark` describes the snapshot as last written.
 */
export function reconcile(
  paths: GraphLayout,
  mark: Written | undefined,
  parsed: SnapshotOnDisk | undefined,
  entries: readonly Entry[],
): Reconciled {
  return new Reconciling(paths, mark, parsed).of(entries);
}

class Reconciling {
  private readonly paths: GraphLayout;
  private readonly mark: Written | undefined;
  private readonly parsed: SnapshotOnDisk | undefined;
  private readonly problems: StoreProblem[] = [];

  constructor(paths: GraphLayout, mark: Written | undefined, parsed: SnapshotOnDisk | undefined) {
    this.paths = paths;
    this.mark = mark;
    this.parsed = parsed;
  }

  of(entries: readonly Entry[]): Reconciled {
    const history = isOneLine(entries, undefined) ? undefined : this.historyOf(entries);
    const heads = history?.heads.length ?? 1;
    if (history && heads > 1 && heads <= WORK_LIMITS.mergeHeads) return this.mergeBranches(history);
    if (heads > 1) this.report(`the log has ${heads} separate histories; only the longest is used`);
    const head = history ? firstParent(history.heads) : undefined;
    const line = history && head ? history.line(head.id) : entries;
    const base = this.parsed ? this.writtenBefore(line) : undefined;
    const state = base ?? this.begin(line);
    // The base is the copy of our last snapshot, which has what a damaged log lost.
    const baseNodes = base ? nodesOf(base) : undefined;
    for (const entry of line) if (!base || entry.seq > (this.mark?.seq ?? 0)) state.apply(entry);
    const pending =
      this.parsed && !this.isTakenIn(this.parsed, line)
        ? withSnapshotSum(verified(this.changed(this.parsed, baseNodes, line, history, state), state), this.parsed)
        : [];
    applyPending(state, pending);
    return { state, lastId: line.at(-1)?.id, pending, problems: this.problems };
  }

  /**
   * Whether the log already contains the hand edit, and only the snapshot that records this was never written. Applying
   * the edit again would undo later changes.
   */
  private isTakenIn({ sum }: SnapshotOnDisk, line: readonly Entry[]): boolean {
    const since = this.ownMark(line)?.seq ?? 0;
    return line.some(({ seq, detail }) => seq > since && detail?.['snapshot_sha256'] === sum);
  }

  private historyOf(entries: readonly Entry[]): LogHistory {
    const begin = (line: readonly Entry[]) => this.begin(line);
    const present = new LogHistory(entries, begin);
    const packed = entries.some((entry) => entry.op === 'base');
    // The point where branches diverged may be in a segment that one of them closed.
    const history =
      packed && present.heads.length > 1
        ? new LogHistory([...allPieces(this.paths).flatMap((piece) => this.entriesOf(piece)), ...entries], begin)
        : present;
    for (const id of history.conflictingIds)
      this.report(`two different entries have the id ${id}; the first one is used`);
    return history;
  }

  private entriesOf(piece: Parameters<typeof readPiece>[0]): readonly Entry[] {
    return orNothing(() => readPiece(piece)) ?? [];
  }

  /** State that a line of entries continues from. If a closed segment is missing, uses the snapshot. */
  private begin(line: readonly Entry[]): GraphState {
    const before = orNothing(() => stateBeforeLine(this.paths, line));
    if (before) return before;
    const state = new GraphState();
    state.load(this.parsed?.nodes.values() ?? [], (line[0]?.seq ?? 1) - 1);
    const text = 'a log segment is missing or cannot be read; the snapshot was used';
    if (!this.problems.some((problem) => problem.text === text)) this.report(text, this.paths.pieces);
    return state;
  }

  /** Merges several heads. Values that a person resolved in the snapshot take precedence. */
  private mergeBranches(history: LogHistory): Reconciled {
    const together = mergeHeads(history);
    if (!together) return { state: new GraphState(), lastId: undefined, pending: [], problems: this.problems };
    const { merged, onto, present } = together;
    const differences = this.parsed
      ? fileDifferences(this.parsed, {
          lines: history.lines(),
          begin: (line) => this.begin(line),
          present: (id) => merged.nodes.get(id),
          renamed: merged.renamed,
          whole: true,
        })
      : { nodes: new Map<string, GraphNode>(), lost: [] };
    for (const [id, node] of differences.nodes) merged.nodes.set(id, node);
    const lost = [...merged.lost, ...differences.lost];
    const pending = mergeEvents({ ...together, merged: { ...merged, lost } }, [...differences.nodes.keys()]);
    applyPending(present, pending);
    const gaveWay = lost.length === 0 ? '' : `; ${lost.length} values were overridden and are in the task logs`;
    const text = `${history.heads.length} branches were merged${gaveWay}`;
    this.problems.push({ severity: 'warning', code: 'merged', text, file: this.paths.log });
    return { state: present, lastId: onto.id, pending, problems: this.problems };
  }

  /** Changes in the snapshot that are not in the log: hand edits. */
  private changed(
    parsed: ParsedGraph,
    baseNodes: ReadonlyMap<string, GraphNode> | undefined,
    line: readonly Entry[],
    history: LogHistory | undefined,
    state: GraphState,
  ): readonly EventDraft[] {
    const lines = history?.lines() ?? [line];
    const begin = (from: readonly Entry[]) => this.begin(from);
    const context = { lines, begin, renamed: new Map<string, string>(), whole: false };
    const isForeign = parsed.nodes.size > 0 && [...parsed.nodes.values()].every((node) => node['rev'] === undefined);
    const adopted = isForeign ? this.adopted(line) : undefined;
    const isRewritten = adopted !== undefined && baseNodes !== undefined && isLater(parsed.nodes, adopted, baseNodes);
    const base = (isRewritten ? undefined : adopted) ?? baseNodes ?? (isForeign ? nodesOf(state) : undefined);
    if (!base) return handEditEvents(fileDifferences(parsed, { ...context, present: (id) => state.node(id) }), state);
    const quoted = parsed.bad.map((bad) => idIn(bad.text));
    // An unreadable line without an id may belong to any missing task, so no task counts as removed.
    const missing = quoted.includes('') ? [...base.keys()] : [];
    const unreadable = new Set([...quoted, ...missing, ...parsed.candidates.map((node) => node.id)]);
    const edits = handEdit(base, parsed.nodes, (id) => state.node(id), unreadable);
    if (parsed.candidates.length === 0) return edits;
    const after = new GraphState();
    after.load(state.nodes(), state.seq, { retired: state.retiredIds(), lastRun: state.lastRun });
    applyPending(after, edits);
    const only = { ...parsed, nodes: new Map<string, GraphNode>() };
    return [...edits, ...handEditEvents(fileDifferences(only, { ...context, present: (id) => after.node(id) }), after)];
  }

  /** Returns the mark if its snapshot was written from this history. */
  private ownMark(line: readonly Entry[]): Written | undefined {
    const { mark } = this;
    const isOurs = mark?.last_id === undefined ? mark?.seq === 0 : line.some((entry) => entry.id === mark.last_id);
    return isOurs ? mark : undefined;
  }

  /** Graph as last written, if it was written from this history, which may not be so after a checkout. */
  private writtenBefore(line: readonly Entry[]): GraphState | undefined {
    const { paths } = this;
    const mark = this.ownMark(line);
    if (!mark) return undefined;
    const text = readText(paths.base);
    if (text !== undefined && sha256(text) === mark.graph_sha256) {
      const state = new GraphState();
      state.load(parseGraph(text).nodes.values(), mark.seq, beyondNodes(mark, readRetired(paths, mark)));
      return state;
    }
    const state = this.begin(line);
    for (const entry of line) if (entry.seq <= mark.seq) state.apply(entry);
    return state;
  }

  /**
   * Graph as last adopted. A file in which no line has a `rev` was not written from this log and is compared with this
   * graph, unless another tool rewrote ours: later tasks are missing from the file but were not removed.
   */
  private adopted(line: readonly Entry[]): ReadonlyMap<string, GraphNode> | undefined {
    const adopted = line.findLast(({ op }) => op === 'adopt');
    if (!adopted) return undefined;
    const base = this.begin(line);
    for (const entry of line) if (entry.seq <= adopted.seq) base.apply(entry);
    return nodesOf(base);
  }

  private report(text: string, file = this.paths.log): void {
    this.problems.push({ severity: 'error', code: 'corrupt', text, file });
  }
}

/** Returns the hand edits; holds them back for verification while a run is active, since the run may have made them. */
function verified(found: readonly EventDraft[], state: GraphState): readonly EventDraft[] {
  return found.length > 0 && isRunAtWork(state.nodes()) ? heldBack(found, (id) => state.node(id)) : found;
}

/** Stores the hash of the edited snapshot in the first event. */
export function withSnapshotSum([first, ...rest]: readonly EventDraft[], { sum }: SnapshotOnDisk): EventDraft[] {
  return first ? [{ ...first, detail: { ...first.detail, snapshot_sha256: sum } }, ...rest] : [];
}

function nodesOf(state: GraphState): ReadonlyMap<string, GraphNode> {
  return new Map([...state.nodes()].map((node) => [node.id, node]));
}

function applyPending(state: GraphState, pending: readonly EventDraft[]): void {
  for (const draft of pending) state.apply({ ...draft, seq: state.seq, id: '', timestamp: '' });
}

/** Whether another tool rewrote our file without the `rev` of its lines: a task has a log entry that we wrote since. */
function isLater(
  found: ReadonlyMap<string, GraphNode>,
  adopted: ReadonlyMap<string, GraphNode>,
  written: ReadonlyMap<string, GraphNode>,
): boolean {
  const logOf = (nodes: ReadonlyMap<string, GraphNode>, id: string) => {
    const log = nodes.get(id)?.['log'];
    return Array.isArray(log) ? log : [];
  };
  return [...found.keys()].some((id) => {
    const last = logOf(written, id).at(-1);
    const holdsIt = (nodes: ReadonlyMap<string, GraphNode>) => logOf(nodes, id).some((entry) => sameJson(entry, last));
    return last !== undefined && holdsIt(found) && !holdsIt(adopted);
  });
}

/** Most likely id of an unreadable line; empty if there is none. */
function idIn(text: string): string {
  return /"id"\s*:\s*"([^"\\]+)"/.exec(text)?.[1] ?? '';
}

/** Returns undefined for a segment that cannot be unpacked, as if it were missing. */
function orNothing<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof TroupeError) return undefined;
    throw error;
  }
}

/** Copies the graph of another tool beside the log, so that adopting it loses nothing. */
export function backUpForeignGraph(paths: GraphLayout, now: number): void {
  mkdirSync(paths.pieces, { recursive: true });
  copyFileSync(paths.graph, path.join(paths.pieces, `graph-found-${timestamp(now).replaceAll(':', '')}.jsonl`));
}
