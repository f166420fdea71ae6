import { continuedRun, lastRunOf } from '#core/graph/attempts.js';
import type { Task } from '#core/graph/task.js';
import { attemptOfBranch } from '#core/runs/names.js';
import { checkCommitted, type TreeState } from '#core/runs/state.js';
import type { FilesContext, GraphContext } from '#operations/contexts.js';
import type { Context } from '#operations/operation.js';
import type { AttemptKey } from '#ports/attempt-trees.js';

/** An attempt with a worktree, running or over. */
export interface Attempt {
  readonly task: string;
  /** The attempt for which the worktree was created: this one, or the one that it continues. */
  readonly attempt: number;
  readonly run: string;
  readonly branch: string;
  /** Folder of the project within the worktree. */
  readonly folder: string;
}

/** The attempt that holds a task or held it last; undefined without a worktree. Reads one small file. */
export async function attemptOf(context: Pick<Context, 'runs'>, task: Task | undefined): Promise<Attempt | undefined> {
  if (task?.assigned === undefined || task.fence === undefined) return undefined;
  if ((await (await context.runs()).identity(task.assigned)) === undefined) return await resumedAttempt(context, task);
  return await inTree(context, task, task.assigned, task.fence);
}

/**
 * A run whose task was just claimed has no record yet; if it continues another attempt, it works in that one's
 * worktree.
 */
async function resumedAttempt(context: Pick<Context, 'runs'>, task: Task): Promise<Attempt | undefined> {
  const last = lastRunOf(task);
  if (task.assigned === undefined || last?.goesOn === undefined || last.goesOn + 1 !== task.fence) return undefined;
  const before = await inTree(context, task, last.run);
  return before && { ...before, run: task.assigned };
}

/** Attempt number of the worktree that the present attempt has or would have. */
export async function treeNumber(context: Pick<Context, 'runs'>, task: Task): Promise<number | undefined> {
  return (await attemptOf(context, task))?.attempt ?? task.fence;
}

/** The attempt whose worktree is kept for the next attempt at a task. */
export async function resumableAttempt(context: Pick<Context, 'runs'>, task: Task): Promise<Attempt | undefined> {
  if (task.assigned !== undefined) return await attemptOf(context, task);
  const run = continuedRun(task);
  return run === undefined ? undefined : await inTree(context, task, run);
}

async function inTree(
  context: Pick<Context, 'runs'>,
  task: Task,
  run: string,
  fence?: number,
): Promise<Attempt | undefined> {
  const identity = await (await context.runs()).identity(run);
  if (identity?.tree === undefined || identity.taskId !== task.id) return undefined;
  if (fence !== undefined && identity.fence !== fence) return undefined;
  const attempt = attemptOfBranch(identity.tree.branch);
  return attempt === undefined ? undefined : { task: task.id, attempt, run, ...identity.tree };
}

/** Whether its run is still writing files. */
export async function isAtWork(context: Pick<Context, 'runs'>, { run }: Attempt): Promise<boolean> {
  return (await (await context.runs()).state(run)) === 'at-work';
}

/** Whether it runs on another machine, which then has its files. */
export async function isAtWorkElsewhere(
  context: Pick<Context, 'runs' | 'trees'>,
  attempt: Attempt | undefined,
): Promise<boolean> {
  if (attempt === undefined || !(await isAtWork(context, attempt))) return false;
  return (await (await context.trees()).stateOf(attempt)) === undefined;
}

/** State of its worktree, or of its received branch if it ran on another machine. */
export async function stateOfAttempt(
  context: Pick<Context, 'trees'>,
  attempt: AttemptKey,
): Promise<TreeState | undefined> {
  const trees = await context.trees();
  return (await trees.stateOf(attempt)) ?? (await trees.branchState(attempt));
}

/**
 * Rejects a task that requires a commit and has none. Checks the worktree of its attempt; for work in the project
 * itself, the commits since it began. Errors: `no_commit`, `dirty_tree`.
 */
export async function refuseUncommitted(context: GraphContext & FilesContext, task: Task): Promise<void> {
  if (task.require_commit !== true) return;
  const attempt = await treeNumber(context, task);
  if (await isAtWorkElsewhere(context, await attemptOf(context, task))) return; // looked at when it is over, and its work is here
  const own = attempt === undefined ? undefined : await stateOfAttempt(context, { task: task.id, attempt });
  checkCommitted(task.id, own ?? (await stateInProject(context, task)));
}

/** State of the project itself, compared with the start of a task. */
export async function stateInProject(context: Pick<Context, 'integration' | 'clock'>, task: Task): Promise<TreeState> {
  const startedAt = Date.parse(task.started_at ?? '');
  return await (await context.integration()).ownState(Number.isNaN(startedAt) ? context.clock.now() : startedAt);
}
