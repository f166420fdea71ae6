import type { Entry, Exit } from '#core/graph/event.js';
import type { GraphNode, Status } from '#core/graph/task.js';

/** Record of a task that left the graph: its id is never reused, and success edges need its last status. */
export interface Departed {
  readonly id: string;
  readonly to: Exit;
  readonly last: Status;
  /** `seq` of the event that removed it; that event holds the whole task. */
  readonly seq: number;
  /** `seq` of the first event of that commit: equal for tasks that left together. */
  readonly batch: number;
}

/** An id no longer in the graph: a plain string if the task was deleted permanently. */
export type Retired = string | Departed;

/** Valid items of a stored list: plain ids and departure records. */
export function retiredFrom(value: unknown): Retired[] {
  return Array.isArray(value)
    ? value.filter((item): item is Retired => typeof item === 'string' || isDeparted(item))
    : [];
}

function isDeparted(item: unknown): item is Departed {
  return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string';
}

/** Returns the nodes that an entry removed from the graph but stores, each with `rev` set to the entry's `seq`. */
export function departedNodes(entry: Entry): GraphNode[] {
  const nodes: GraphNode[] = [];
  for (const patch of entry.patch) {
    if ('del' in patch && patch.kept) nodes.push({ ...(patch.kept as GraphNode), rev: entry.seq });
  }
  return nodes;
}

/** State of a graph besides its nodes. */
export interface BeyondNodes {
  /** Ids that are no longer in use. */
  readonly retired?: Iterable<Retired>;
  /** `seq` of the last entry that changed `retired`. */
  readonly retiredSeq?: number;
  /** Highest run number; undefined if it was not recorded: then the highest number among runs with a task counts. */
  readonly lastRun?: number | undefined;
}
