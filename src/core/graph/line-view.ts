import type { Cycle } from '#core/graph/cycles.js';
import type { Departed, Retired } from '#core/graph/departed.js';
import type { Entry } from '#core/graph/event.js';
import type { Growth } from '#core/graph/lib/tally.js';
import { parseOwnGraph } from '#core/graph/line.js';
import { type LineIndex, TASK_START, TextIndex } from '#core/graph/line-index.js';
import type { Outline } from '#core/graph/outline.js';
import { freeSince } from '#core/graph/ready.js';
import { GraphState } from '#core/graph/state.js';
import { type GraphNode, isTask, type Status, type Task } from '#core/graph/task.js';
import type { GraphDraft, GraphView, TaskOutline } from '#core/graph/view.js';

const NOBODY: readonly string[] = [];
/** Number of lookups by text search before the lines are indexed. */
const MAX_TEXT_SEARCHES = 8;

/** A snapshot written by this program, with nothing but nodes. */
export interface SnapshotLines {
  readonly text: () => string;
  /** Outline stored beside large snapshots: with it the text is neither searched nor indexed. */
  readonly outline: Outline | undefined;
  /** `seq` of the last entry in the snapshot. */
  readonly seq: number;
  /** Ids that are no longer in use. */
  readonly retired: () => readonly Retired[];
  /** Highest run number; undefined in a snapshot written without it. */
  readonly lastRun: number | undefined;
  /** Builds the full state, with the entries applied, for queries about the whole graph. */
  readonly whole: (entries: readonly Entry[]) => GraphView;
}

/**
 * View of a snapshot of our own and the entries since, which parses a line only when its node is read. Most commands
 * read one task and its neighbours, or the few free tasks; parsing a thousand others would cost more than the rest of
 * the command. Queries about the whole graph are delegated to a full state, built on demand.
 */
export class LineView implements GraphView {
  readonly seq: number;
  private readonly lines: SnapshotLines;
  /** Entries since the snapshot. */
  readonly entries: readonly Entry[];
  private wholeGraph: GraphView | undefined;
  private decoded: string | undefined;
  private parsed = new Map<string, GraphNode | undefined>();
  private retiredIds: ReadonlyMap<string, Departed | true> | undefined;
  private redone: { readonly state: GraphState; readonly ids: ReadonlySet<string> } | undefined;
  private allParsed = false;
  private rows: readonly TaskOutline[] | undefined;
  private iterates: boolean | undefined;
  private index: LineIndex | undefined;
  private free: ReadonlyMap<string, number> | undefined;

  constructor(lines: SnapshotLines, entries: readonly Entry[]) {
    this.lines = lines;
    this.entries = entries;
    this.seq = entries.at(-1)?.seq ?? lines.seq;
    this.index = lines.outline;
  }

  /** Returns the view after one more entry. */
  with(entry: Entry): LineView {
    const next = new LineView(this.lines, [...this.entries, entry]);
    next.decoded = this.decoded;
    next.parsed = this.parsed;
    next.allParsed = this.allParsed;
    next.index = this.index;
    next.retiredIds = this.retiredIds;
    return next;
  }

  get size(): number {
    if (this.wholeGraph) return this.wholeGraph.size;
    let count = this.lines.outline?.size ?? this.text.split('\n').length - 1;
    const { state, ids } = this.changed;
    for (const id of ids) count += Number(state.node(id) !== undefined) - Number(this.nodeOfLine(id) !== undefined);
    return count;
  }

  node(id: string): GraphNode | undefined {
    if (this.wholeGraph) return this.wholeGraph.node(id);
    const { state, ids } = this.changed;
    return ids.has(id) ? state.node(id) : this.nodeOfLine(id);
  }

  task(id: string): Task | undefined {
    const node = this.node(id);
    return node && isTask(node) ? node : undefined;
  }

  dependents(id: string): readonly string[] {
    if (this.wholeGraph) return this.wholeGraph.dependents(id);
    const named = this.lines.outline?.dependents(id) ?? this.linesNaming(id);
    const ids = named.filter((other) => this.comesAfter(other, id));
    for (const other of this.changed.ids) if (this.comesAfter(other, id) && !ids.includes(other)) ids.push(other);
    return ids;
  }

  /** Parses every line without building indexes: most callers that iterate over all nodes read only fields. */
  nodes(): Iterable<GraphNode> {
    return this.wholeGraph ? this.wholeGraph.nodes() : this.nodesOfLines();
  }

  private *nodesOfLines(): Iterable<GraphNode> {
    const { state, ids } = this.changed;
    if (!this.allParsed) for (const node of parseOwnGraph([this.text])) this.parsed.set(node.id, node);
    this.allParsed = true;
    for (const node of this.parsed.values()) if (node && !ids.has(node.id)) yield node;
    for (const id of ids) {
      const node = state.node(id);
      if (node) yield node;
    }
  }

  outlines(): Iterable<TaskOutline> {
    if (this.wholeGraph) return this.wholeGraph.outlines();
    const { state, ids } = this.changed;
    this.rows ??= [
      ...this.allLines()
        .rows()
        .filter(({ id }) => !ids.has(id)),
      ...state.outlines(),
    ];
    return this.rows;
  }

  candidates(): Iterable<string> {
    return this.wholeGraph ? this.wholeGraph.candidates() : this.freeTasks.keys();
  }

  runnable(after?: number): Iterable<string> {
    return this.whole().runnable(after);
  }

  withoutCommand(): Iterable<string> {
    return this.whole().withoutCommand();
  }

  readyAt(id: string): number | undefined {
    return this.wholeGraph ? this.wholeGraph.readyAt(id) : this.freeTasks.get(id);
  }

  waiting(): Iterable<string> {
    return this.whole().waiting();
  }

  unplaced(): Iterable<string> {
    return this.whole().unplaced();
  }

  followsMerged(id: string): boolean {
    return this.whole().followsMerged(id);
  }

  doubted(): Iterable<string> {
    return this.whole().doubted();
  }

  get lastRun(): number {
    const { lastRun } = this.lines;
    return lastRun === undefined ? this.whole().lastRun : Math.max(lastRun, this.changed.state.lastRun);
  }

  get teamSeq(): number {
    return this.whole().teamSeq;
  }

  unreviewed(): Iterable<string> {
    return this.whole().unreviewed();
  }

  madeBy(name: string): number {
    return this.whole().madeBy(name);
  }

  growth(): Growth {
    return this.whole().growth();
  }

  /** The search may match text in a description; then the full state decides. */
  mayIterate(): boolean {
    this.iterates ??=
      ((this.lines.outline?.mayHave('cycle_config') ?? this.text.includes('"cycle_config"')) ||
        this.changed.state.mayIterate()) &&
      this.whole().mayIterate();
    return this.iterates;
  }

  cycle(header: string): Cycle | undefined {
    return this.whole().cycle(header);
  }

  cycles(): Iterable<Cycle> {
    return this.whole().cycles();
  }

  cyclesOf(id: string): readonly Cycle[] {
    return this.whole().cyclesOf(id);
  }

  /** Whether a status occurs at all is decided without indexing the lines. */
  count(status: Status): number {
    if (this.wholeGraph) return this.wholeGraph.count(status);
    if (!this.index && !this.text.includes(`"status":"${status}"`)) return this.changed.state.count(status);
    let count = 0;
    for (const outline of this.outlines()) if (outline.status === status) count++;
    return count;
  }

  wasUsed(id: string): boolean {
    const { state, ids } = this.changed;
    if (ids.has(id)) return state.wasUsed(id);
    return this.nodeOfLine(id) !== undefined || this.retired.has(id);
  }

  departed(id: string): Departed | undefined {
    const { state, ids } = this.changed;
    if (ids.has(id)) return state.departed(id);
    const departed = this.retired.get(id);
    return departed === true ? undefined : departed;
  }

  departures(): Iterable<Departed> {
    return this.whole().departures();
  }

  fork(): GraphDraft {
    return this.whole().fork();
  }

  /** Built once: it computes the free tasks only on demand, and each new view would compute them again. */
  private whole(): GraphView {
    this.wholeGraph ??= this.lines.whole(this.entries);
    return this.wholeGraph;
  }

  private allLines(): LineIndex {
    this.index ??= new TextIndex(this.text);
    return this.index;
  }

  private get text(): string {
    this.decoded ??= this.lines.text();
    return this.decoded;
  }

  /** Ids that were retired when the snapshot was written. */
  private get retired(): ReadonlyMap<string, Departed | true> {
    const entryOf = (item: Retired): [string, Departed | true] =>
      typeof item === 'string' ? [item, true] : [item.id, item];
    this.retiredIds ??= new Map(this.lines.retired().map(entryOf));
    return this.retiredIds;
  }

  /** Free tasks and the time since when. Parses only lines of possible candidates. */
  private get freeTasks(): ReadonlyMap<string, number> {
    this.free ??= this.mayIterate() ? this.freeOfWhole() : this.freeOfLines();
    return this.free;
  }

  private freeOfWhole(): ReadonlyMap<string, number> {
    const whole = this.whole();
    return new Map([...whole.candidates()].map((id) => [id, whole.readyAt(id) ?? 0]));
  }

  private freeOfLines(): ReadonlyMap<string, number> {
    const { state, ids } = this.changed;
    const moments = new Map<string, number>();
    const consider = (id: string) => {
      const task = this.task(id);
      const since = task && freeSince(this, task);
      if (since !== undefined) moments.set(id, since);
    };
    const statuses = new Map([...ids].map((id) => [id, state.task(id)?.status]));
    for (const id of this.allLines().unheld(statuses)) if (!ids.has(id)) consider(id);
    for (const id of ids) consider(id);
    return moments;
  }

  /** Nodes touched by the entries, in their final state; computed in a small graph of these nodes. */
  private get changed(): { readonly state: GraphState; readonly ids: ReadonlySet<string> } {
    this.redone ??= this.redo();
    return this.redone;
  }

  private redo(): { readonly state: GraphState; readonly ids: ReadonlySet<string> } {
    const ids = new Set<string>();
    const touched = new GraphState();
    const before: GraphNode[] = [];
    for (const patch of this.entries.flatMap((entry) => entry.patch)) {
      if (ids.has(patch.id)) continue;
      ids.add(patch.id);
      const node = 'put' in patch ? undefined : this.nodeOfLine(patch.id); // a full put needs no previous state
      if (node) before.push(node);
    }
    const retired = ids.size === 0 ? [] : [...this.retired].filter(([id]) => ids.has(id));
    touched.load(before, this.lines.seq, { retired: retired.map(([id, item]) => (item === true ? id : item)) });
    for (const entry of this.entries) touched.apply(entry);
    return { state: touched, ids };
  }

  private comesAfter(id: string, before: string): boolean {
    return (this.task(id)?.after ?? NOBODY).includes(before);
  }

  /** Returns a node as its line has it. */
  private nodeOfLine(id: string): GraphNode | undefined {
    if (!this.parsed.has(id)) this.parsed.set(id, this.lookUp(id));
    return this.parsed.get(id);
  }

  private lookUp(id: string): GraphNode | undefined {
    if (this.parsed.size >= MAX_TEXT_SEARCHES) this.allLines();
    const line = this.index?.lineOf(id);
    if (line !== undefined) return JSON.parse(line) as GraphNode;
    if (this.lines.outline) return undefined;
    const quoted = JSON.stringify(id);
    for (const words of [`${TASK_START}${quoted}`, `"id":${quoted}`]) {
      for (const line of this.linesWith(words)) {
        const node = JSON.parse(line) as GraphNode;
        if (node.id === id) return node;
      }
    }
    return undefined;
  }

  /** Only lines that contain the quoted id can name it; few are parsed in vain. */
  private linesNaming(id: string): string[] {
    const nodes = [...this.linesWith(JSON.stringify(id))].map((line) => JSON.parse(line) as GraphNode);
    return nodes.flatMap((node) => (isTask(node) && node.after?.includes(id) ? [node.id] : []));
  }

  /** Yields each line that contains the text, once. */
  private *linesWith(words: string): Iterable<string> {
    const { text } = this;
    for (let at = text.indexOf(words); at !== -1; ) {
      const end = text.indexOf('\n', at);
      const stop = end === -1 ? text.length : end;
      yield text.slice(text.lastIndexOf('\n', at) + 1, stop);
      at = text.indexOf(words, stop);
    }
  }
}
