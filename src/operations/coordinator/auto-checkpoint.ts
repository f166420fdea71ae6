import { CHECKPOINT } from '#core/coordinator/checkpoints.js';
import type { AttemptUsage } from '#core/coordinator/snapshot.js';
import { automaticSummary } from '#core/graph/checkpoint.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { FilesContext, GraphContext, MachineContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import { treeNumber } from '#operations/review/attempt.js';
import { saveCheckpoint } from '#operations/runs/checkpoints.js';
import { runOutput } from '#operations/runs/run-output.js';
import type { HostOf, HostTools } from './host.js';

export interface CheckpointedRun {
  readonly run: string;
  readonly task: string;
  readonly fence: number;
  readonly turns: number;
  readonly usage?: AttemptUsage;
}

/** Bytes at the end of a run's output that are used for its summary. */
const TAIL_BYTES = 8_192;

/** Stores checkpoints of runs, one at a time per run. */
export function checkpointsHost(
  { errands }: Pick<HostTools, 'errands'>,
  keep: (at: CheckpointedRun) => Promise<void>,
): HostOf<'checkpoints'> {
  return {
    facts: async () => ({}),
    carryOut: {
      checkpoint: (at) => {
        const key = CHECKPOINT.key(at.run);
        errands.forget(key); // the previous one is over
        errands.start(CHECKPOINT, key, async () => {
          await keep(at);
          return { of: 'checkpoint' };
        });
        return 0;
      },
    },
  };
}

/**
 * Stores a checkpoint from externally visible state: log and output of the run, files changed in its worktree, usage
 * figures. Written under the fence of the run: one that has lost its task stores nothing.
 */
export async function keepCheckpoint(
  context: GraphContext & FilesContext & MachineContext,
  at: CheckpointedRun,
): Promise<void> {
  const { run, fence, turns, usage } = at;
  const task = taskOf(await (await context.graph()).view(), at.task);
  const said = await runOutput(await context.runs(), run, { most: TAIL_BYTES });
  await saveCheckpoint(context, task.id, {
    summary: automaticSummary(task, run, said?.text ?? ''),
    type: 'auto',
    files: await changedFiles(context, task),
    by: { name: run, fence },
    turns,
    ...(usage === undefined ? {} : { usage }),
  });
}

async function changedFiles(context: Pick<Context, 'runs' | 'trees'>, task: Task): Promise<readonly string[]> {
  try {
    const attempt = (await treeNumber(context, task)) ?? 0;
    const { changes, untracked } = await (await context.trees()).changes({ task: task.id, attempt });
    return [...changes.files.map((file) => file.path), ...untracked].slice(0, TEAM_LIMITS.checkpointFiles);
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    return []; // it works in the project itself, where changes may come from anyone
  }
}
