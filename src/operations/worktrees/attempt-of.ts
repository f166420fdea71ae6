import type { Task } from '#core/graph/task.js';
import type { Context } from '#operations/operation.js';

/** An attempt that works, or worked, in a worktree of its own. */
export interface Attempt {
  readonly task: string;
  readonly attempt: number;
  readonly run: string;
  readonly branch: string;
  /** The project within the worktree. */
  readonly folder: string;
}

/** The attempt that holds a task, or held it last; undefined when it has no worktree. Costs one small file. */
export async function attemptOf(context: Pick<Context, 'runs'>, task: Task | undefined): Promise<Attempt | undefined> {
  if (task?.assigned === undefined || task.fence === undefined) return undefined;
  const known = await (await context.runs()).identity(task.assigned);
  if (known?.tree === undefined || known.taskId !== task.id || known.fence !== task.fence) return undefined;
  return { task: task.id, attempt: task.fence, run: task.assigned, ...known.tree };
}

/** Is somebody still writing to its files? */
export async function isAtWork(context: Pick<Context, 'runs'>, { run }: Attempt): Promise<boolean> {
  return (await (await context.runs()).state(run)) === 'at-work';
}
