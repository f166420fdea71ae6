import type { Usage } from '#core/coordinator/snapshot.js';
import { type Checkpoint, checkpointTask } from '#core/graph/checkpoint.js';
import { checkFence, type Mover } from '#core/graph/moves.js';
import { taskOf } from '#core/graph/task-of.js';
import { timestamp } from '#kernel/clock.js';
import { isJsonObject } from '#kernel/json.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';

export interface NewCheckpoint {
  readonly summary: string;
  readonly type: Checkpoint['type'];
  /** Files that were changed, from the top of the project. */
  readonly files: readonly string[];
  readonly by: Mover;
  readonly turns?: number;
  /** What it used, where that is known better than by the task. */
  readonly usage?: Usage;
}

/**
 * Keeps how far an attempt has come: whole beside the run, the summary on the task. The file comes first, and goes again
 * when the graph refuses; an attempt that lost its task leaves nothing.
 */
export async function saveCheckpoint(context: Context, id: string, given: NewCheckpoint): Promise<Checkpoint> {
  const store = await context.graph();
  const view = await store.view();
  const task = taskOf(view, id);
  checkFence(view, task, given.by);
  const usage = task['token_usage'];
  const printed = await (await context.runs()).part(given.by.name, 'output', { most: 0 });
  const now = context.clock.now();
  const checkpoint: Checkpoint = {
    task_id: id,
    agent_id: given.by.name,
    timestamp: timestamp(now),
    type: given.type,
    summary: given.summary,
    files_modified: given.files,
    artifacts_registered: task.artifacts ?? [],
    stream_offset: printed?.size ?? null,
    turn_count: given.turns ?? null,
    token_usage: given.usage ? { ...given.usage } : isJsonObject(usage) ? usage : null,
  };
  const options = { now, by: given.by };
  const { settings } = await loadSettings(context);
  checkpointTask(await store.view(), id, checkpoint, options);
  const kept = await (await context.checkpoints()).save(checkpoint, settings.checkpoint.max_checkpoints);
  try {
    await store.commit((view) => checkpointTask(view, id, checkpoint, options), context.request);
  } catch (error) {
    await kept.forget();
    throw error;
  }
  return checkpoint;
}
