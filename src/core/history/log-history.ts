/**
 * Reading and undoing history: two histories merged by task and field, tasks archived, restored and replayed, traces
 * shown and exported.
 * @packageDocumentation
 */
import type { Entry } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';

/**
 * The entries of a log as a commit graph, after branches were merged: each names its predecessor, and a `merge` names
 * the other heads it merged. Following `prev` from a head gives one history without gaps; merged lines stay in the file
 * beside it.
 */
export class LogHistory {
  /** All entries without duplicates, in file order. */
  readonly entries: readonly Entry[];
  /** Entries without successor, in file order. A single head: everything is merged. */
  readonly heads: readonly Entry[];
  /** Ids that the file uses for two different entries; the first one counts. */
  readonly conflictingIds: readonly string[];
  /** Returns the state before a line's first entry: the log may start where an older piece of it ended. */
  private readonly begin: (line: readonly Entry[]) => GraphState;
  private readonly byId = new Map<string, Entry>();
  private readonly before = new Map<string, string>();

  constructor(entries: readonly Entry[], begin: (line: readonly Entry[]) => GraphState = () => new GraphState()) {
    this.begin = begin;
    const doubles = new Set<string>();
    for (const entry of entries) {
      const other = this.byId.get(entry.id);
      if (!other) this.byId.set(entry.id, entry);
      else if (JSON.stringify(other) !== JSON.stringify(entry)) doubles.add(entry.id);
    }
    this.entries = [...this.byId.values()];
    this.conflictingIds = [...doubles];
    this.link();
    const followed = new Set<string>();
    for (const entry of this.entries) for (const parent of this.parents(entry)) followed.add(parent);
    this.heads = this.entries.filter((entry) => !followed.has(entry.id));
  }

  /** The history from the first entry to this one. */
  line(head: string): Entry[] {
    const line: Entry[] = [];
    for (let id: string | undefined = head; id !== undefined; id = this.before.get(id)) {
      const entry = this.byId.get(id);
      if (entry) line.push(entry);
    }
    return line.reverse();
  }

  /** All histories: up to each head, and up to each merged head. */
  lines(): Entry[][] {
    const mergedIds = this.entries.flatMap((entry) => this.mergedParents(entry));
    return [...this.heads.map((head) => head.id), ...mergedIds].map((id) => this.line(id));
  }

  /** State of the graph after this entry. */
  stateAt(head: string): GraphState {
    const line = this.line(head);
    const state = this.begin(line);
    for (const entry of line) state.apply(entry);
    return state;
  }

  /** Ids of these entries and all their ancestors. */
  withAncestors(heads: Iterable<string>): Set<string> {
    const visited = new Set<string>(heads);
    const open = [...visited];
    for (let id = open.pop(); id !== undefined; id = open.pop()) {
      const entry = this.byId.get(id);
      for (const parent of entry ? this.parents(entry) : []) {
        if (visited.has(parent)) continue;
        visited.add(parent);
        open.push(parent);
      }
    }
    return visited;
  }

  /** Merge bases of two histories: the latest entries in both sets. Several after criss-cross merges. */
  forks(left: ReadonlySet<string>, right: ReadonlySet<string>): Entry[] {
    const shared = this.entries.filter((entry) => left.has(entry.id) && right.has(entry.id));
    const followed = new Set(shared.flatMap((entry) => this.parents(entry)));
    return shared.filter((entry) => !followed.has(entry.id));
  }

  private parents(entry: Entry): string[] {
    const before = this.before.get(entry.id);
    return [...(before === undefined ? [] : [before]), ...this.mergedParents(entry)];
  }

  /**
   * Merged heads of an entry. Only an id with a smaller `seq` counts as a parent, so a damaged or hostile file cannot
   * create a cycle.
   */
  private mergedParents(entry: Entry): string[] {
    return mergedHeads(entry).filter((id) => id !== this.before.get(entry.id) && this.isEarlier(id, entry));
  }

  private isEarlier(id: string, entry: Entry): boolean {
    const other = this.byId.get(id);
    return other !== undefined && other.seq < entry.seq;
  }

  private link(): void {
    const lastOfSeq = new Map<number, string>();
    let previous: Entry | undefined;
    for (const entry of this.entries) {
      const named = entry.prev !== undefined && this.isEarlier(entry.prev, entry) ? entry.prev : undefined;
      const before = named ?? lastOfSeq.get(entry.seq - 1) ?? this.nearestBefore(previous, entry);
      if (before !== undefined) this.before.set(entry.id, before);
      lastOfSeq.set(entry.seq, entry.id);
      previous = entry;
    }
  }

  /** Predecessor of an entry whose previous line was lost or damaged: the nearest earlier entry above it. */
  private nearestBefore(previous: Entry | undefined, entry: Entry): string | undefined {
    let id = previous?.id;
    for (let steps = 0; id !== undefined && steps < WORK_LIMITS.predecessorSteps; steps++) {
      if (this.isEarlier(id, entry)) return id;
      id = this.before.get(id);
    }
    return undefined;
  }
}

/** Whether each entry follows the one above it. Then the file itself is the history, without merges. */
export function isOneLine(
  entries: readonly Entry[],
  after: { seq: number; id: string | undefined } | undefined,
): boolean {
  let [seq, id] = [after?.seq, after?.id];
  for (const entry of entries) {
    if (seq !== undefined && entry.seq <= seq) return false;
    if (seq !== undefined && entry.prev !== undefined && entry.prev !== id) return false;
    if (seq !== undefined && entry.prev === undefined && entry.seq !== seq + 1) return false;
    seq = entry.seq;
    id = entry.id;
  }
  return true;
}

/** All heads that a `merge` names. */
function mergedHeads(entry: Entry): string[] {
  const heads = entry.op === 'merge' ? entry.detail?.['heads'] : undefined;
  return Array.isArray(heads) ? heads.filter((id): id is string => typeof id === 'string') : [];
}

/** The entries of the main history, each `seq` once; for readers of a history. */
export function mainLine(entries: readonly Entry[]): readonly Entry[] {
  if (isOneLine(entries, undefined)) return entries;
  const history = new LogHistory(entries);
  const head = firstParent(history.heads);
  return head ? history.line(head.id) : [];
}

/** Head that a merge continues from: the one with the highest `seq`, which keeps numbers rising without gaps. */
export function firstParent(heads: readonly Entry[]): Entry | undefined {
  return heads.reduce<Entry | undefined>((best, head) => (best && best.seq >= head.seq ? best : head), undefined);
}
