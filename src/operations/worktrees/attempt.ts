import { goesOnFrom, lastRunOf } from '#core/graph/attempts.js';
import type { Task } from '#core/graph/task.js';
import { attemptOfBranch } from '#core/worktrees/names.js';
import { checkCommitted, type TreeState } from '#core/worktrees/state.js';
import type { Context } from '#operations/operation.js';
import type { AttemptKey } from '#ports/attempt-trees.js';

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
  if (task?.assigned === undefined || task.fence === undefined) return undefined;
  if ((await (await context.runs()).identity(task.assigned)) === undefined) return await goneOnFrom(context, task);
  return await inTree(context, task, task.assigned, task.fence);
}

/** A run whose task was claimed a moment ago has no record yet; where it goes on from another, it works in that one's worktree. */
async function goneOnFrom(context: Runs, task: Task): Promise<Attempt | undefined> {
  const last = lastRunOf(task);
  if (task.assigned === undefined || last?.goesOn === undefined || last.goesOn + 1 !== task.fence) return undefined;
  const before = await inTree(context, task, last.run);
  return before && { ...before, run: task.assigned };
}

/** The number that the worktree of the present attempt has, or would have. */
export async function treeNumber(context: Runs, task: Task): Promise<number | undefined> {
  return (await attemptOf(context, task))?.attempt ?? task.fence;
}

/** The attempt whose worktree is kept for a task: who goes on with it works there. */
export async function resumableAttempt(context: Runs, task: Task): Promise<Attempt | undefined> {
  if (task.assigned !== undefined) return await attemptOf(context, task);
  const run = goesOnFrom(task);
  return run === undefined ? undefined : await inTree(context, task, run);
}

async function inTree(context: Runs, task: Task, run: string, fence?: number): Promise<Attempt | undefined> {
  const identity = await (await context.runs()).identity(run);
  if (identity?.tree === undefined || identity.taskId !== task.id) return undefined;
  if (fence !== undefined && identity.fence !== fence) return undefined;
  const attempt = attemptOfBranch(identity.tree.branch);
  return attempt === undefined ? undefined : { task: task.id, attempt, run, ...identity.tree };
}

/** Is somebody still writing to its files? */
export async function isAtWork(context: Runs, { run }: Attempt): Promise<boolean> {
  return (await (await context.runs()).state(run)) === 'at-work';
}

/** Does it work at another machine? Its files are there then. */
export async function isAtWorkElsewhere(
  context: Runs & Pick<Context, 'trees'>,
  attempt: Attempt | undefined,
): Promise<boolean> {
  if (attempt === undefined || !(await isAtWork(context, attempt))) return false;
  return (await (await context.trees()).stateOf(attempt)) === undefined;
}

/** State of its worktree; of one that worked at another machine, that of the branch it was received under. */
export async function stateOfAttempt(
  context: Pick<Context, 'trees'>,
  attempt: AttemptKey,
): Promise<TreeState | undefined> {
  const trees = await context.trees();
  return (await trees.stateOf(attempt)) ?? (await trees.branchState(attempt));
}

/**
 * Refuses a task that has to be committed and is not: `no_commit`, `dirty_tree`. What counts is the worktree of its
 * attempt; of work done in the project itself, what was committed there since it began.
 */
export async function refuseUncommitted(
  context: Pick<Context, 'trees' | 'integration' | 'clock' | 'runs'>,
  task: Task,
): Promise<void> {
  if (task.require_commit !== true) return;
  const attempt = await treeNumber(context, task);
  if (await isAtWorkElsewhere(context, await attemptOf(context, task))) return; // looked at when it is over, and its work is here
  const own = attempt === undefined ? undefined : await stateOfAttempt(context, { task: task.id, attempt });
  checkCommitted(task.id, own ?? (await stateInProject(context, task)));
}

/** State of the project itself, against where it was when a task began. */
export async function stateInProject(context: Pick<Context, 'integration' | 'clock'>, task: Task): Promise<TreeState> {
  const startedAt = Date.parse(task.started_at ?? '');
  return await (await context.integration()).ownState(Number.isNaN(startedAt) ? context.clock.now() : startedAt);
}
