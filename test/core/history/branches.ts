import { toEntryLines } from '#core/graph/entries.js';
import type { Entry, EventDraft, Plan } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import type { GraphNode } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { firstParent, LogHistory } from '#core/history/log-history.js';
import { mergeEvents, mergeHeads } from '#core/history/merge-heads.js';
import { timestamp } from '#kernel/clock.js';
import { NOW } from '../graph/graph.js';

let ids = 0;

/** A log that grows as a store's does, and that branches and merges as in git. */
export class Branch {
  readonly entries: Entry[];

  constructor(entries: readonly Entry[] = []) {
    this.entries = [...entries];
  }

  get state(): GraphState {
    const history = new LogHistory(this.entries);
    const head = firstParent(history.heads);
    return head ? history.stateAt(head.id) : new GraphState();
  }

  fork(): Branch {
    return new Branch(this.entries);
  }

  commit(decide: (view: GraphView) => Plan<unknown>, second: number): this {
    return this.append(decide(this.state).events, second);
  }

  append(events: readonly EventDraft[], second: number): this {
    const last = firstParent(new LogHistory(this.entries).heads);
    const after = { seq: last?.seq ?? 0, id: last?.id };
    const lines = toEntryLines(events, after, timestamp(NOW + second * 1_000), () => `e${++ids}`);
    this.entries.push(...lines.map(({ line }) => JSON.parse(line) as Entry));
    return this;
  }

  /** Merges as git's union driver does: common lines, then ours, then theirs. */
  union(theirs: Branch): Branch {
    const mine = new Set(this.entries.map((entry) => entry.id));
    return new Branch([...this.entries, ...theirs.entries.filter((entry) => !mine.has(entry.id))]);
  }

  /** Writes the events that the next command writes after branches were merged. */
  settle(second: number): this {
    const together = mergeHeads(new LogHistory(this.entries));
    return together ? this.append(mergeEvents(together, []), second) : this;
  }

  /** All nodes by id, without their revision counters. */
  nodes(): Record<string, Omit<GraphNode, 'rev'>> {
    const all = [...this.state.nodes()].sort((left, right) => (left.id < right.id ? -1 : 1));
    return Object.fromEntries(all.map(({ rev: _rev, ...node }) => [node['id'], node as never]));
  }
}
