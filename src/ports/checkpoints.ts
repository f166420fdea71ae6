import type { Checkpoint } from '#core/graph/checkpoint-shape.js';

/**
 * Checkpoints, one file each in the folder of the run that left them. Errors: `too_large`, `unsafe_path`, `disk_full`,
 * `read_only`.
 */
export interface Checkpoints {
  /**
   * Stores a checkpoint and removes all but the newest `keep` of its agent. `forget` removes it again if the graph
   * rejects it.
   */
  save(checkpoint: Checkpoint, keep: number): Promise<{ forget(): Promise<void> }>;
  /**
   * Checkpoints of a task by these agents, newest first, bounded in number. Files that cannot be parsed are left out.
   */
  list(task: string, agents: readonly string[]): Promise<readonly Checkpoint[]>;
}
