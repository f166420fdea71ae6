import type { Cycle } from '#core/graph/cycles.js';
import type { Departed } from '#core/graph/departed.js';
import type { Entry } from '#core/graph/event.js';
import type { Growth } from '#core/graph/lib/tally.js';
import { GraphState } from '#core/graph/state.js';
import { type GraphNode, isTask, type Status, type Task } from '#core/graph/task.js';
import type { GraphDraft, GraphView } from '#core/graph/view.js';

/** How every line of a task begins that we wrote ourselves; the id follows, in quotes. */
const TASK_START = '{"kind":"task","id":';
const NOBODY: readonly string[] = [];

/**
 * A view of a snapshot that is known to be our own, and of the entries since, which parses a line only when somebody looks at
 * its node. Most commands ask about one task and those around it; parsing the other thousand, or only telling them apart,
 * would cost more than all the rest of the command. Questions about the graph as a whole are passed on to a state that is
 * made for them then.
 */
export class LineView implements GraphView {
  readonly seq: number;
  private readonly read: () => string;
  private readonly from: number;
  private readonly entries: readonly Entry[];
  private readonly make: () => GraphView;
  private made: GraphView | undefined;
  private decoded: string | undefined;
  private readonly parsed = new Map<string, GraphNode | undefined>();
  private redone: ReadonlyMap<string, GraphNode | undefined> | undefined;
  private iterates: boolean | undefined;

  /** `read`: the snapshot's text, as of `seq`; `make`: the same picture as a state, for questions about the whole. */
  constructor(read: () => string, seq: number, entries: readonly Entry[], make: () => GraphView) {
    this.read = read;
    this.from = seq;
    this.entries = entries;
    this.make = make;
    this.seq = entries.at(-1)?.seq ?? seq;
  }

  get size(): number {
    return this.whole().size;
  }

  node(id: string): GraphNode | undefined {
    if (this.made) return this.made.node(id);
    return this.changed.has(id) ? this.changed.get(id) : this.written(id);
  }

  task(id: string): Task | undefined {
    const node = this.node(id);
    return node && isTask(node) ? node : undefined;
  }

  /** Only lines that hold the id in quotes can name it; of those few are parsed in vain. */
  dependents(id: string): readonly string[] {
    if (this.made) return this.made.dependents(id);
    const found: string[] = [];
    for (const line of this.linesWith(JSON.stringify(id))) {
      const node = JSON.parse(line) as GraphNode;
      if (isTask(node) && node.after?.includes(id) && this.comesAfter(node.id, id)) found.push(node.id);
    }
    for (const other of this.changed.keys())
      if (this.comesAfter(other, id) && !found.includes(other)) found.push(other);
    return found;
  }

  nodes(): Iterable<GraphNode> {
    return this.whole().nodes();
  }

  candidates(): Iterable<string> {
    return this.whole().candidates();
  }

  runnable(): Iterable<string> {
    return this.whole().runnable();
  }

  readyAt(id: string): number | undefined {
    return this.whole().readyAt(id);
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

  madeBy(name: string): number {
    return this.whole().madeBy(name);
  }

  growth(): Growth {
    return this.whole().growth();
  }

  /** Text that speaks of a config in a description counts too; then the whole graph answers. */
  mayIterate(): boolean {
    this.iterates ??=
      (this.text.includes('"cycle_config"') || [...this.changed.values()].some((node) => node?.['cycle_config'])) &&
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

  count(status: Status): number {
    return this.whole().count(status);
  }

  wasUsed(id: string): boolean {
    return this.node(id) !== undefined || this.whole().wasUsed(id);
  }

  departed(id: string): Departed | undefined {
    return this.node(id) === undefined ? this.whole().departed(id) : undefined;
  }

  departures(): Iterable<Departed> {
    return this.whole().departures();
  }

  fork(): GraphDraft {
    return this.whole().fork();
  }

  /** Made once: it works out who is free only when it is asked, and would do so for each picture anew. */
  private whole(): GraphView {
    this.made ??= this.make();
    return this.made;
  }

  private get text(): string {
    this.decoded ??= this.read();
    return this.decoded;
  }

  /** What entries touched, as they left it; undefined for what is gone. Worked out in a small graph of those alone. */
  private get changed(): ReadonlyMap<string, GraphNode | undefined> {
    this.redone ??= this.redo();
    return this.redone;
  }

  private redo(): ReadonlyMap<string, GraphNode | undefined> {
    const ids = new Set<string>();
    const touched = new GraphState();
    const before: GraphNode[] = [];
    for (const patch of this.entries.flatMap((entry) => entry.patch)) {
      if (ids.has(patch.id)) continue;
      ids.add(patch.id);
      const node = 'put' in patch ? undefined : this.written(patch.id); // what is put whole needs nothing from before
      if (node) before.push(node);
    }
    touched.load(before, this.from);
    for (const entry of this.entries) touched.apply(entry);
    return new Map([...ids].map((id) => [id, touched.node(id)]));
  }

  private comesAfter(id: string, before: string): boolean {
    return (this.task(id)?.after ?? NOBODY).includes(before);
  }

  /** A node as its line has it. */
  private written(id: string): GraphNode | undefined {
    if (!this.parsed.has(id)) this.parsed.set(id, this.lookUp(id));
    return this.parsed.get(id);
  }

  private lookUp(id: string): GraphNode | undefined {
    const quoted = JSON.stringify(id);
    for (const words of [`${TASK_START}${quoted}`, `"id":${quoted}`]) {
      for (const line of this.linesWith(words)) {
        const node = JSON.parse(line) as GraphNode;
        if (node.id === id) return node;
      }
    }
    return undefined;
  }

  /** The lines in which these words stand, each once. */
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
