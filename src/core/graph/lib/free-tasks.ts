import type { Task } from '#core/graph/task.js';
import { OrderedIds, type PlacedId } from '#kernel/ordered-ids.js';
import { PersistentMap } from '#kernel/persistent-map.js';

/** Free tasks in queue order: with a command, and without. */
interface Queues {
  readonly runnable: OrderedIds;
  readonly others: OrderedIds;
}

/** Free tasks with the time since when each is free, and their queue order. The order is computed on first use. */
export class FreeTasks {
  private readonly since: PersistentMap<number>;
  private queues: Queues | undefined;

  /** Creates an empty index, or a copy of another. */
  constructor(copyOf?: FreeTasks, writable = true) {
    this.since = (writable ? copyOf?.since.fork() : copyOf?.since.freeze()) ?? new PersistentMap();
    const queues = copyOf?.queues;
    this.queues = queues && { runnable: queues.runnable.fork(), others: queues.others.fork() };
  }

  ids(): Iterable<string> {
    return this.since.keys();
  }

  at(id: string): number | undefined {
    return this.since.get(id);
  }

  /** Records that a task is free from a time on; without one, it is not free. */
  put({ id, exec }: Task, at: number | undefined): void {
    if (at === undefined) return;
    this.since.set(id, at);
    const queue = exec === undefined ? this.queues?.others : this.queues?.runnable;
    queue?.add({ at, id });
  }

  remove(id: string): void {
    const at = this.since.get(id);
    if (at === undefined) return;
    this.since.delete(id);
    this.queues?.runnable.remove({ at, id });
    this.queues?.others.remove({ at, id });
  }

  queued(taskOf: (id: string) => Task | undefined): Queues {
    if (this.queues) return this.queues;
    const [runnable, others]: [PlacedId[], PlacedId[]] = [[], []];
    for (const id of this.since.keys()) {
      const item = { at: this.since.get(id) ?? 0, id };
      if (taskOf(id)?.exec === undefined) others.push(item);
      else runnable.push(item);
    }
    this.queues = { runnable: new OrderedIds(runnable), others: new OrderedIds(others) };
    return this.queues;
  }
}
