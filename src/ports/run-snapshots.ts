import type { GraphNode } from '#core/graph/task.js';
import type { RunMeta } from '#core/history/archived-runs.js';

/** Graphs as they were before tasks were reopened, one folder each. Snapshots never change. */
export interface RunSnapshots {
  /** All snapshots, by id, and the ids of those whose metadata cannot be read. */
  list(): Promise<{ readonly runs: readonly RunMeta[]; readonly unreadable: readonly string[] }>;
  /** Errors: `unknown_run` if there is none with this id, `corrupt` if it cannot be read. */
  read(id: string): Promise<{ readonly meta: RunMeta; readonly nodes: readonly GraphNode[] }>;
  /** Stores these nodes and the present settings under the next free id. */
  keep(nodes: Iterable<GraphNode>, facts: Omit<RunMeta, 'id'>): Promise<RunMeta>;
  /** Deletes a snapshot that turned out to be unnecessary. */
  drop(id: string): Promise<void>;
}
