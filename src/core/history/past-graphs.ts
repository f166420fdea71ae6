import type { Entry, Patch } from '#core/graph/event.js';
import { GraphState } from '#core/graph/state.js';
import type { GraphView } from '#core/graph/view.js';

/** Entries between two kept graphs: as many are applied at most to reach one. */
export const ENTRIES_APART = 256;

/** Fields of a task that show in a picture of the graph. */
const DRAWN = ['status', 'title', 'after', 'after_success', 'member', 'tags', 'paused', 'loop_iteration'] as const;

/**
 * Graphs after the last entries of a log, which is read once. A few graphs are kept, which share unchanged nodes; for
 * the others the entries since the nearest one are applied.
 */
export class PastGraphs {
  private readonly state = new GraphState();
  private readonly kept: GraphView[] = [];
  private readonly entries: Entry[] = [];
  private readonly most: number;

  /** `before`: graph before the first entry that is added. Between `most` and twice as many entries are kept. */
  constructor(before: GraphView | undefined, most: number) {
    this.most = Math.ceil(most / ENTRIES_APART) * ENTRIES_APART;
    if (before !== undefined) this.state.load(before.nodes(), before.seq);
  }

  add(entry: Entry): void {
    if (this.entries.length === 2 * this.most) {
      this.entries.splice(0, this.most);
      this.kept.splice(0, this.most / ENTRIES_APART);
    }
    if (this.entries.length % ENTRIES_APART === 0) this.kept.push(this.state.freeze());
    this.state.apply(entry);
    this.entries.push(entry);
  }

  get first(): Entry | undefined {
    return this.entries[0];
  }

  /** The graph after an entry, and that entry: the nearest one that is kept. Undefined without any. */
  at(seq: number): { readonly view: GraphView; readonly entry: Entry } | undefined {
    const index = this.indexOf(seq);
    const [entry, base] = [this.entries[index], this.kept[Math.floor(index / ENTRIES_APART)]];
    if (entry === undefined || base === undefined) return undefined;
    const view = base.fork();
    for (const each of this.entries.slice(index - (index % ENTRIES_APART), index + 1)) view.apply(each);
    return { view, entry };
  }

  /** The nearest entries before and after this one that change what is drawn. */
  around(seq: number): { readonly before?: number; readonly next?: number } {
    const index = this.indexOf(seq);
    let [before, next] = [index - 1, index + 1];
    while (before >= 0 && !isDrawn(this.entries[before])) before--;
    while (next < this.entries.length && !isDrawn(this.entries[next])) next++;
    return {
      ...(before < 0 ? {} : { before: this.entries[before]?.seq ?? 0 }),
      ...(next >= this.entries.length ? {} : { next: this.entries[next]?.seq ?? 0 }),
    };
  }

  private indexOf(seq: number): number {
    const first = this.first?.seq ?? 0;
    return Math.max(0, Math.min(this.entries.length - 1, seq - first)); // the numbers have no gaps
  }
}

function isDrawn(entry: Entry | undefined): boolean {
  return entry?.patch.some(changesPicture) === true;
}

function changesPicture(patch: Patch): boolean {
  if ('del' in patch) return true;
  if ('put' in patch) return patch.put['kind'] === 'task';
  const fields = [...Object.keys(patch.set ?? {}), ...(patch.unset ?? [])];
  return fields.some((field) => DRAWN.some((drawn) => drawn === field));
}
