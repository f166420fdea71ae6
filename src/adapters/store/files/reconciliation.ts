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
import { LIMITS } from '#kernel/limits.js';
import type { StoreProblem } from '#ports/graph-store.js';
import { type BeyondMark, beyondNodes, readRetired } from './beyond-nodes.js';
import { readText } from './disk.js';
import { allPieces, readPiece, stateBeforeLine } from './log-pieces.js';

/** How the snapshot was when we last wrote it. */
export interface Written extends BeyondMark {
  readonly seq: number;
  readonly last_id?: string;
  readonly graph_sha256: string;
}

export interface Reconciled {
  /** With everything pending in it. */
  readonly state: GraphState;
  /** Id of the entry that the next one follows. */
  readonly lastId: string | undefined;
  /** What has to be written down first: that branches came together, what a hand changed. */
  readonly pending: readonly EventDraft[];
  readonly problems: readonly StoreProblem[];
}

/** The snapshot as it lies there. */
export interface SnapshotOnDisk extends ParsedGraph {
  /** SHA-256 of its bytes, as hex. */
  readonly sum: string;
}

/**
 * The state that a log and a snapshot tell together when they are not simply ours: after a checkout, a merge of branches,
 * an edit by hand. `known` says what the snapshot was when we last wrote it.
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
    if (history && heads > 1 && heads <= LIMITS.mergeHeads) return this.comeTogether(history);
    if (heads > 1) this.report(`the log has ${heads} separate histories; only the longest is used`);
    const head = history ? firstParent(history.heads) : undefined;
    const line = history && head ? history.line(head.id) : entries;
    const base = this.parsed ? this.writtenBefore(line) : undefined;
    const state = base ?? this.begin(line);
    // From the copy of what we wrote: what a damaged log no longer tells is in there.
    const baseNodes = base ? nodesOf(base) : undefined;
    for (const entry of line) if (!base || entry.seq > (this.mark?.seq ?? 0)) state.apply(entry);
    const pending =
      this.parsed && !this.isTakenIn(this.parsed, line)
        ? withSnapshotSum(verified(this.changed(this.parsed, baseNodes, line, history, state), state), this.parsed)
        : [];
    applyPending(state, pending);
    return { state, lastId: line.at(-1)?.id, pending, problems: this.problems };
  }

  /** Is what a hand wrote in the log, and only the snapshot that shows so was never written? Doing it again would undo what followed. */
  private isTakenIn({ sum }: SnapshotOnDisk, line: readonly Entry[]): boolean {
    const since = this.ownMark(line)?.seq ?? 0;
    return line.some(({ seq, detail }) => seq > since && detail?.['snapshot_sha256'] === sum);
  }

  private historyOf(entries: readonly Entry[]): LogHistory {
    const begin = (line: readonly Entry[]) => this.begin(line);
    const present = new LogHistory(entries, begin);
    const packed = entries.some((entry) => entry.op === 'base');
    // Where branches went apart may lie in a piece that one of them has closed.
    const history =
      packed && present.heads.length > 1
        ? new LogHistory([...allPieces(this.paths).flatMap((piece) => this.entriesOf(piece)), ...entries], begin)
        : present;
    for (const id of history.doubles) this.report(`two different entries have the id ${id}; the first one is used`);
    return history;
  }

  private entriesOf(piece: Parameters<typeof readPiece>[0]): readonly Entry[] {
    return orNothing(() => readPiece(piece)) ?? [];
  }

  /** What a line goes on from. Where a closed piece is missing, the snapshot stands in for it. */
  private begin(line: readonly Entry[]): GraphState {
    const before = orNothing(() => stateBeforeLine(this.paths, line));
    if (before) return before;
    const state = new GraphState();
    state.load(this.parsed?.nodes.values() ?? [], (line[0]?.seq ?? 1) - 1);
    const text = 'a log segment is missing or cannot be read; the snapshot was used';
    if (!this.problems.some((problem) => problem.text === text)) this.report(text, this.paths.pieces);
    return state;
  }

  /** Several heads: their graphs are put together, and what a person settled in the snapshot wins. */
  private comeTogether(history: LogHistory): Reconciled {
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

  /** What the lines of the snapshot say that the log does not: someone wrote there. */
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
    const base = (isForeign ? this.adopted(line) : undefined) ?? baseNodes ?? (isForeign ? nodesOf(state) : undefined);
    if (!base) return handEditEvents(fileDifferences(parsed, { ...context, present: (id) => state.node(id) }), state);
    const quoted = parsed.bad.map((bad) => idIn(bad.text));
    // A line that does not even say whose it is may be of any task that is missing: then nothing counts as removed.
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

  /** What we last wrote, when it was written from this history. */
  private ownMark(line: readonly Entry[]): Written | undefined {
    const { mark } = this;
    const isOurs = mark?.last_id === undefined ? mark?.seq === 0 : line.some((entry) => entry.id === mark.last_id);
    return isOurs ? mark : undefined;
  }

  /** The graph as we last wrote it, when this is the history it was written from: after a checkout it may not be. */
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
   * What was last adopted. A file in which no line has a `rev` was not written from this log, and is compared with this: what
   * came after it is not in the file, and was not removed by anybody.
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

/** What a hand changed, but for what a run may have written. */
function verified(found: readonly EventDraft[], state: GraphState): readonly EventDraft[] {
  return found.length > 0 && isRunAtWork(state.nodes()) ? heldBack(found, (id) => state.node(id)) : found;
}

/** The first of the events says which file it was that they were found in. */
export function withSnapshotSum([first, ...rest]: readonly EventDraft[], { sum }: SnapshotOnDisk): EventDraft[] {
  return first ? [{ ...first, detail: { ...first.detail, snapshot_sha256: sum } }, ...rest] : [];
}

function nodesOf(state: GraphState): ReadonlyMap<string, GraphNode> {
  return new Map([...state.nodes()].map((node) => [node.id, node]));
}

function applyPending(state: GraphState, pending: readonly EventDraft[]): void {
  for (const draft of pending) state.apply({ ...draft, seq: state.seq, id: '', timestamp: '' });
}

/** The id that a line which cannot be read probably meant. */
function idIn(text: string): string {
  return /"id"\s*:\s*"([^"\\]+)"/.exec(text)?.[1] ?? '';
}

/** A piece that cannot be unpacked is as good as none. */
function orNothing<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof TroupeError) return undefined;
    throw error;
  }
}

/** The graph as another tool left it stays beside the log: adopting it must not lose what it was. */
export function backUpForeignGraph(paths: GraphLayout, now: number): void {
  mkdirSync(paths.pieces, { recursive: true });
  copyFileSync(paths.graph, path.join(paths.pieces, `graph-found-${timestamp(now).replaceAll(':', '')}.jsonl`));
}
