import type { Task } from '#core/graph/task.js';
import { isAskedToReport } from '#core/graph/unreported.js';
import { attemptOfBranch } from '#core/worktrees/names.js';
import { isJsonObject } from '#kernel/json.js';
import type { Context } from '#operations/operation.js';

/** An attempt that works, or worked, in a worktree. */
export interface Attempt {
  readonly task: string;
  /** The one its worktree was made for: this one, or one that this goes on from. */
  readonly attempt: number;
  readonly run: string;
  readonly branch: string;
  /** The project within the worktree. */
  readonly folder: string;
}

type Runs = Pick<Context, 'runs'>;

/** The attempt that holds a task, or held it last; undefined when it has no worktree. Costs one small file. */
export async function attemptOf(context: Runs, task: Task | undefined): Promise<Attempt | undefined> {
  return task?.assigned === undefined ? undefined : await attemptOfRun(context, task, task.assigned);
}

/** The number that the worktree of the present attempt has, or would have. */
export async function treeNumber(context: Runs, task: Task): Promise<number | undefined> {
  return (await attemptOf(context, task))?.attempt ?? task.fence;
}

/** The attempt whose files are kept for a task: a parked one has gone, and its worktree waits for the next. */
export async function attemptKept(context: Runs, task: Task): Promise<Attempt | undefined> {
  const last = task['last_run'];
  const goesOn = task.status === 'waiting' || isAskedToReport(task);
  const parked = goesOn && isJsonObject(last) && typeof last['run'] === 'string';
  const run = task.assigned ?? (parked ? String(last['run']) : undefined);
  return run === undefined ? undefined : await attemptOfRun(context, task, run);
}

async function attemptOfRun(context: Runs, task: Task, run: string): Promise<Attempt | undefined> {
  const known = await (await context.runs()).identity(run);
  if (known?.tree === undefined || known.taskId !== task.id || known.fence !== task.fence) return undefined;
  const attempt = attemptOfBranch(known.tree.branch);
  return attempt === undefined ? undefined : { task: task.id, attempt, run, ...known.tree };
}

/** Is somebody still writing to its files? */
export async function isAtWork(context: Runs, { run }: Attempt): Promise<boolean> {
  return (await (await context.runs()).state(run)) === 'at-work';
}
