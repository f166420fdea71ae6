import type { Checkpoint } from '#core/graph/checkpoint.js';

/**
 * Checkpoints beside the runs that left them, a file each. Errors: `too_large`, `unsafe_path`, `disk_full`, `read_only`.
 */
export interface Checkpoints {
  /** Keeps the newest `keep` of those an agent left. `forget` takes this one back, when the graph refuses it. */
  save(checkpoint: Checkpoint, keep: number): Promise<{ forget(): Promise<void> }>;
  /** Those of a task that these agents left, the newest first. What cannot be understood is left out. */
  list(task: string, agents: readonly string[]): Promise<readonly Checkpoint[]>;
}
