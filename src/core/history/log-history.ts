/**
 * Reading and undoing history: two histories merged by task and field, tasks archived, restored and replayed, traces
 * shown and exported.
 * @packageDocumentation
 */
import type { Entry } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';

/** How far the line is walked back for an entry whose predecessor is not in the log. */
const SEARCH_MOST = 1_000;

/**
 * The entries of a log as what they are after branches came together: each names the one before it, a `merge` names the
 * other heads it took in. One walk along `prev` from a head is one history without gaps; what was taken in stays in the
 * file beside it.
 */
export class LogHistory {
  /** Every entry once, in the order of the file. */
  readonly entries: readonly Entry[];
  /** Entries that nothing follows, in the order of the file. One: all is together. */
  readonly heads: readonly Entry[];
  /** Ids under which the file holds two different entries; the first one counts. */
  readonly doubles: readonly string[];
  /** What a line goes on from, by its first entry: the log may begin where an older piece of it ended. */
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
    this.doubles = [...doubles];
    this.link();
    const followed = new Set<string>();
    for (const entry of this.entries) for (const parent of this.parents(entry)) followed.add(parent);
    this.heads = this.entries.filter((entry) => !followed.has(entry.id));
  }

  /** From the first entry to this one, each the successor of the one before it. */
  line(head: string): Entry[] {
    const line: Entry[] = [];
    for (let id: string | undefined = head; id !== undefined; id = this.before.get(id)) {
      const entry = this.byId.get(id);
      if (entry) line.push(entry);
    }
    return line.reverse();
  }

  /** The histories there are: to each head, and to each that a merge took in. */
  lines(): Entry[][] {
    const mergedIds = this.entries.flatMap((entry) => this.takenIn(entry));
    return [...this.heads.map((head) => head.id), ...mergedIds].map((id) => this.line(id));
  }

  /** The graph as it stood when this entry was the last. */
  stateAt(head: string): GraphState {
    const line = this.line(head);
    const state = this.begin(line);
    for (const entry of line) state.apply(entry);
    return state;
  }

  /** These entries and all that led to them. */
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

  /** The latest entries that both sets hold: where the two went apart. Several, when they were merged crosswise. */
  forks(left: ReadonlySet<string>, right: ReadonlySet<string>): Entry[] {
    const shared = this.entries.filter((entry) => left.has(entry.id) && right.has(entry.id));
    const followed = new Set(shared.flatMap((entry) => this.parents(entry)));
    return shared.filter((entry) => !followed.has(entry.id));
  }

  private parents(entry: Entry): string[] {
    const before = this.before.get(entry.id);
    return [...(before === undefined ? [] : [before]), ...this.takenIn(entry)];
  }

  /** A parent always has the smaller `seq`: whatever a damaged or hostile file claims, no walk goes in circles. */
  private takenIn(entry: Entry): string[] {
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

  /** The line before it was lost or damaged: it goes on from what stands above. */
  private nearestBefore(previous: Entry | undefined, entry: Entry): string | undefined {
    let id = previous?.id;
    for (let steps = 0; id !== undefined && steps < SEARCH_MOST; steps++) {
      if (this.isEarlier(id, entry)) return id;
      id = this.before.get(id);
    }
    return undefined;
  }
}

/** Does each entry follow the one above it? Then the file as it stands is the history, and nothing came together. */
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

/** The heads a `merge` took in, all of them. */
function mergedHeads(entry: Entry): string[] {
  const heads = entry.op === 'merge' ? entry.detail?.['heads'] : undefined;
  return Array.isArray(heads) ? heads.filter((id): id is string => typeof id === 'string') : [];
}

/** The entries along the line that counts: what readers of a history are to see, each `seq` once. */
export function mainLine(entries: readonly Entry[]): readonly Entry[] {
  if (isOneLine(entries, undefined)) return entries;
  const history = new LogHistory(entries);
  const head = firstParent(history.heads);
  return head ? history.line(head.id) : [];
}

/** Of several heads the one with the highest `seq` is gone on from, so that numbers stay without gap and only rise. */
export function firstParent(heads: readonly Entry[]): Entry | undefined {
  return heads.reduce<Entry | undefined>((best, head) => (best && best.seq >= head.seq ? best : head), undefined);
}
