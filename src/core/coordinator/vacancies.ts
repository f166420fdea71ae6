import { listChanges } from '#kernel/list-changes.js';
import { compareText } from '#kernel/order.js';

/** An active worker on another machine; `free` is the number of attempts it can still accept. */
export interface WorkerRoom {
  readonly name: string;
  /** Names of the clients that can be started there. */
  readonly executors: readonly string[];
  readonly labels: readonly string[];
  readonly free: number;
}

/** Workers with the same clients and labels, and the number of their free places. */
export interface RoomKind extends Pick<WorkerRoom, 'executors' | 'labels' | 'free'> {
  readonly key: string;
}

/** Clients and labels of a worker as one text. */
export function kindKey({ executors, labels }: Pick<WorkerRoom, 'executors' | 'labels'>): string {
  return `${executors.join('\n')}\n\n${labels.join('\n')}`;
}

/**
 * Free places at workers by kind: there are few kinds, but possibly thousands of workers of each. Workers are counted
 * again when they change: most are the same objects from pass to pass.
 */
export class RoomKinds {
  private rooms: readonly WorkerRoom[] = [];
  private readonly kinds = new Map<string, RoomKind>();

  of(rooms: readonly WorkerRoom[]): Iterable<RoomKind> {
    const { gone, come } = listChanges(this.rooms, rooms);
    for (const room of gone) this.count(room, -room.free);
    for (const room of come) this.count(room, room.free);
    this.rooms = rooms;
    return this.kinds.values();
  }

  private count(room: WorkerRoom, places: number): void {
    if (room.free <= 0) return;
    const key = kindKey(room);
    const { executors, labels } = room;
    const free = (this.kinds.get(key)?.free ?? 0) + places;
    if (free === 0) this.kinds.delete(key);
    else this.kinds.set(key, { key, executors, labels, free });
  }
}

/** Free places at workers, counted down as they are taken. */
export class Vacancies {
  /** Fewest labels first, which leaves workers with many labels to the tasks that need them. */
  private readonly kinds: readonly { readonly kind: RoomKind; left: number }[];

  constructor(kinds: Iterable<RoomKind>) {
    this.kinds = [...kinds]
      .sort((one, other) => one.labels.length - other.labels.length || compareText(one.key, other.key))
      .map((kind) => ({ kind, left: kind.free }));
  }

  /** Total number of free places. */
  get free(): number {
    return this.kinds.reduce((sum, { left }) => sum + left, 0);
  }

  /** Whether a place with these labels is free. */
  has(needs: readonly string[]): boolean {
    return this.kinds.some(({ kind, left }) => left > 0 && hasLabels(kind, needs));
  }

  /**
   * Finds a free place for this client and these labels; it is occupied once `take` is called, which returns the key of
   * its kind. Undefined if there is none.
   */
  find(executor: string, needs: readonly string[]): { take(): string } | undefined {
    const fit = this.kinds.find(({ kind, left }) => left > 0 && canTake(kind, executor, needs));
    if (fit === undefined) return undefined;
    return {
      take: () => {
        fit.left--;
        return fit.kind.key;
      },
    };
  }
}

/** Whether a worker has this client and these labels. */
export function canTake(
  { executors, labels }: Pick<WorkerRoom, 'executors' | 'labels'>,
  executor: string,
  needs: readonly string[],
): boolean {
  return (executor === 'shell' || executors.includes(executor)) && hasLabels({ labels }, needs);
}

export function hasLabels({ labels }: Pick<WorkerRoom, 'labels'>, needs: readonly string[]): boolean {
  return needs.every((label) => labels.includes(label));
}
