import type { TallyMaps } from '#core/graph/lib/tally.js';
import type { Task } from '#core/graph/task.js';
import { PersistentMap } from '#kernel/persistent-map.js';

/** Parts of the graph that the index reads. */
interface Around {
  task(id: string): Task | undefined;
  dependents(id: string): readonly string[];
}

/**
 * Direct and indirect dependents of merged work. A task is added once a predecessor is merged or an edge to an indexed
 * task appears. Removing an edge or merged work invalidates the index, which is rebuilt on the next query. While
 * nothing is merged it is empty and costs nothing.
 */
export class Followers {
  readonly ids: PersistentMap<true>;
  private readonly around: Around;
  private readonly merged: PersistentMap<true>;
  private current: boolean;

  /** The keys of `merged` are all tasks whose work was merged; without `ids` the index is computed on first use. */
  constructor(around: Around, { merged }: Pick<TallyMaps, 'merged'>, ids: PersistentMap<true> | undefined) {
    this.around = around;
    this.merged = merged;
    this.ids = ids ?? new PersistentMap();
    this.current = ids !== undefined;
  }

  has(id: string): boolean {
    this.settle();
    return this.ids.has(id);
  }

  /** Whether the index is up to date; if not, a copy has to start with an empty one. */
  get isCurrent(): boolean {
    return this.current;
  }

  /** Rebuilds an invalid index now instead of at the next query. */
  settle(): void {
    if (this.current) return;
    for (const id of [...this.ids.keys()]) this.ids.delete(id);
    this.current = true;
    for (const id of this.merged.keys()) this.spread(id);
  }

  /** Updates the index after a task was changed, added or removed; the edges around it are already up to date. */
  changed(id: string, before: Task | undefined, now: Task | undefined): void {
    if (!this.current) return;
    const merged = now?.merged !== undefined;
    if (before?.merged !== undefined && !merged) this.current = false;
    else if (merged && before?.merged === undefined) this.spread(id);
    if (before?.after === now?.after) return;
    if (this.ids.has(id)) this.current &&= before?.after?.every((other) => now?.after?.includes(other)) === true;
    else if (now?.after?.some((other) => this.leads(other))) this.take(id);
  }

  /** Invalidates the whole index, for instance after the graph was replaced. */
  invalidate(): void {
    this.current = false;
  }

  private leads(id: string): boolean {
    return this.ids.has(id) || this.around.task(id)?.merged !== undefined;
  }

  private take(id: string): void {
    this.ids.set(id, true);
    this.spread(id);
  }

  private spread(from: string): void {
    const pending = [from];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      for (const dependent of this.around.dependents(id)) {
        if (this.ids.has(dependent)) continue;
        this.ids.set(dependent, true);
        pending.push(dependent);
      }
    }
  }
}
