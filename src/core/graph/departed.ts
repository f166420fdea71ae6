import type { Entry, Exit } from '#core/graph/event.js';
import type { GraphNode, Status } from '#core/graph/task.js';

/** What is remembered of a task that left: its id is never given again, and a success edge asks how it ended. */
export interface Departed {
  readonly id: string;
  readonly to: Exit;
  readonly last: Status;
  /** `seq` of the event that took it away, and that keeps it whole. */
  readonly seq: number;
  /** `seq` of the first event of that commit: the same for tasks that left together. */
  readonly batch: number;
}

/** An id that is no longer in the graph: alone when the task was removed for good. */
export type Retired = string | Departed;

/** Those of a list that our own files keep: an id alone, or what is remembered of it. */
export function retiredFrom(value: unknown): Retired[] {
  return Array.isArray(value)
    ? value.filter((item): item is Retired => typeof item === 'string' || isDeparted(item))
    : [];
}

function isDeparted(item: unknown): item is Departed {
  return typeof item === 'object' && item !== null && 'id' in item && typeof item.id === 'string';
}

/** The nodes that an entry took out of the graph and keeps, each with the `rev` of that moment. */
export function departedNodes(entry: Entry): GraphNode[] {
  const nodes: GraphNode[] = [];
  for (const patch of entry.patch) {
    if ('del' in patch && patch.kept) nodes.push({ ...(patch.kept as GraphNode), rev: entry.seq });
  }
  return nodes;
}

/** What a graph remembers beside its nodes. */
export interface BeyondNodes {
  /** The ids that are no longer in use. */
  readonly retired?: Iterable<Retired>;
  /** `seq` of the last entry that changed them. */
  readonly retiredSeq?: number;
  /** The highest number of a run; undefined where it was written down without one: then the highest of the runs that have a task counts. */
  readonly lastRun?: number | undefined;
}
