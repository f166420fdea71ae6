import type { GraphNode } from '#core/graph/task.js';
import type { RunMeta } from '#core/history/archived-runs.js';

/** The graph as it was before tasks were opened again, one folder a time. What is kept there is never changed. */
export interface RunSnapshots {
  /** All of them, by id. One whose facts cannot be read is left out. */
  list(): Promise<readonly RunMeta[]>;
  /** `unknown_run` when there is none of this id, `corrupt` when it cannot be read. */
  read(id: string): Promise<{ readonly meta: RunMeta; readonly nodes: readonly GraphNode[] }>;
  /** Keeps these nodes, and the settings as they are now, under the next free id. */
  keep(nodes: Iterable<GraphNode>, facts: Omit<RunMeta, 'id'>): Promise<RunMeta>;
  /** Forgets one that turned out not to be needed. */
  drop(id: string): Promise<void>;
}
