import type { TallyMaps } from '#core/graph/lib/tally.js';
import type { Task } from '#core/graph/task.js';
import { PersistentMap } from '#kernel/persistent-map.js';

/** What the index asks of the graph around it. */
interface Around {
  task(id: string): Task | undefined;
  dependents(id: string): readonly string[];
}

/**
 * Who comes after merged work, directly or not. A task is taken in once, when something before it is merged or an edge to
 * such a task appears. When an edge or merged work goes away the index is void, and worked out anew when somebody asks: as
 * long as nothing is merged anywhere it is empty and costs nothing.
 */
export class Followers {
  readonly ids: PersistentMap<true>;
  private readonly around: Around;
  private readonly merged: PersistentMap<true>;
  private current: boolean;

  /** Of `merged` the keys are all tasks whose work was merged; without `ids` they are yet to be worked out. */
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

  /** Does the index hold what is there? If not, a copy has to begin with an empty one. */
  get isCurrent(): boolean {
    return this.current;
  }

  /** Works out what is void now rather than when somebody asks. */
  settle(): void {
    if (this.current) return;
    for (const id of [...this.ids.keys()]) this.ids.delete(id);
    this.current = true;
    for (const id of this.merged.keys()) this.spread(id);
  }

  /** A task has another form now, or is new, or gone; the edges around it are up to date. */
  changed(id: string, before: Task | undefined, now: Task | undefined): void {
    if (!this.current) return;
    const merged = now?.merged !== undefined;
    if (before?.merged !== undefined && !merged) this.current = false;
    else if (merged && before?.merged === undefined) this.spread(id);
    if (before?.after === now?.after) return;
    if (this.ids.has(id)) this.current &&= before?.after?.every((other) => now?.after?.includes(other)) === true;
    else if (now?.after?.some((other) => this.leads(other))) this.take(id);
  }

  /** Nothing of it holds any more: everything around is another. */
  void(): void {
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
