import type { Cycle } from '#core/graph/cycles.js';
import type { Departed } from '#core/graph/departed.js';
import type { Growth } from '#core/graph/lib/tally.js';
import { type GraphNode, isTask, type Status, type Task } from '#core/graph/task.js';
import type { GraphDraft, GraphView } from '#core/graph/view.js';

/** How every line of a task begins that we wrote ourselves; the id follows, up to the next quote. */
const TASK_START = '{"kind":"task","id":"';

/**
 * A view of a snapshot that is known to be our own, which parses a line only when somebody looks at its node. Most
 * commands ask about one task and those around it; parsing the other thousand would cost more than all the rest of the
 * command. Questions about the graph as a whole are passed on to a state that is made for them then.
 */
export class LineView implements GraphView {
  readonly seq: number;
  private readonly lines: ReadonlyMap<string, string>;
  private readonly parsed = new Map<string, GraphNode>();
  private readonly whole: () => GraphView;
  private readonly text: string;
  private iterates: boolean | undefined;

  constructor(text: string, seq: number, whole: () => GraphView) {
    this.seq = seq;
    this.lines = linesById(text);
    this.whole = whole;
    this.text = text;
  }

  get size(): number {
    return this.lines.size;
  }

  node(id: string): GraphNode | undefined {
    const known = this.parsed.get(id);
    if (known) return known;
    const line = this.lines.get(id);
    if (line === undefined) return undefined;
    const node = JSON.parse(line) as GraphNode;
    this.parsed.set(id, node);
    return node;
  }

  task(id: string): Task | undefined {
    const node = this.node(id);
    return node && isTask(node) ? node : undefined;
  }

  /** A line that does not hold the id in quotes cannot name it; of the others few are parsed in vain. */
  dependents(id: string): readonly string[] {
    const quoted = JSON.stringify(id);
    const found: string[] = [];
    for (const [other, line] of this.lines) {
      if (line.includes(quoted) && this.task(other)?.after?.includes(id)) found.push(other);
    }
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
    this.iterates ??= this.text.includes('"cycle_config"') && this.whole().mayIterate();
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
    return this.lines.has(id) || this.whole().wasUsed(id);
  }

  departed(id: string): Departed | undefined {
    return this.lines.has(id) ? undefined : this.whole().departed(id);
  }

  departures(): Iterable<Departed> {
    return this.whole().departures();
  }

  fork(): GraphDraft {
    return this.whole().fork();
  }
}

function linesById(text: string): Map<string, string> {
  const lines = new Map<string, string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const end = line.startsWith(TASK_START) ? line.indexOf('"', TASK_START.length) : -1;
    const id = end === -1 ? '' : line.slice(TASK_START.length, end);
    const plain = end !== -1 && !id.includes('\\');
    lines.set(plain ? id : (JSON.parse(line) as GraphNode).id, line);
  }
  return lines;
}
