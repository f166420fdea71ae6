import type { FinishResult } from '#core/coordinator/finish.js';
import { logTask } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { protectedChange } from '#core/roles/protected-path.js';
import { listFiles } from '#core/runs/state.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { SURFACE_LIMITS } from '#kernel/limits/surfaces.js';
import { isUnreachable } from '#kernel/out-of-reach.js';
import type { FilesContext, GraphContext, MachineContext } from '#operations/contexts.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import type { Publication, PublishedWork } from '#ports/attempt-trees.js';
import type { TakeOutcome, TakeRequest } from '#ports/integration.js';
import { isInUse, isResumable } from './worktrees.js';

export type Merge = NonNullable<FinishResult['merge']>;

const FILES_NAMED = 10;

/**
 * Merges the work of an attempt whose run is over into wg/integration, according to `merge_back`: the result of
 * `handOver`, or, if that failed, what can be handed over now. Errors that a person can fix are returned as `held`, not
 * thrown. Idempotent.
 */
export async function takeOver(
  context: FilesContext & MachineContext,
  task: Task,
  attempt: number,
  handedOver: Publication | undefined,
): Promise<Merge> {
  try {
    return await mergeBack(context, task, attempt, handedOver);
  } catch (error) {
    return unmerged(error);
  }
}

/** The same for callers that retry while a remote is unreachable: that error is thrown. */
export async function takeOverWhenReached(...[context, task, attempt, handedOver]: Parameters<typeof takeOver>) {
  try {
    return await mergeBack(context, task, attempt, handedOver);
  } catch (error) {
    if (isUnreachable(error)) throw error;
    return unmerged(error);
  }
}

async function mergeBack(
  context: FilesContext & MachineContext,
  task: Task,
  attempt: number,
  handedOver: Publication | undefined,
): Promise<Merge> {
  const how = (await loadSettings(context)).settings.coordinator.merge_back;
  const work = handedOver ?? (await publish(context, task, attempt));
  const isTaken = work.outcome === 'published' && how !== 'keep';
  // Checked here, on the very commit to be merged: the machine that made the commit cannot vouch for it.
  const paths = isTaken ? await (await context.integration()).publishedPaths(work) : [];
  const reason = protectedChange(task.tags, paths);
  if (reason !== undefined) return { outcome: 'held', reason, conflict: false };
  const outcome = work.outcome === 'published' ? await take(context, work, { ...labelOf(task, attempt), how }) : work;
  switch (outcome.outcome) {
    case 'merged':
      return { outcome: 'merged', commit: outcome.commit };
    case 'nothing':
      return outcome.before ? { outcome: 'merged', commit: outcome.commit } : { outcome: 'nothing' };
    case 'conflict':
      return { outcome: 'held', reason: outcome.reason, conflict: true };
    case 'kept':
      if (outcome.reason === 'asked') return { outcome: 'kept' };
      return { outcome: 'held', reason: `could not be merged: ${outcome.text}`, conflict: false };
  }
}

function unmerged(error: unknown): Merge {
  return { outcome: 'held', reason: `could not be merged: ${asTroupeError(error).message}`, conflict: false };
}

/**
 * Commits and hands over the work of an attempt whose run is over. If that fails, the work stays in place, and the
 * evidence records this.
 */
export async function handOver(
  context: Pick<Context, 'trees'>,
  task: Task,
  attempt: number,
): Promise<Publication | undefined> {
  try {
    return await publish(context, task, attempt);
  } catch (error) {
    if (error instanceof TroupeError) return undefined;
    throw error;
  }
}

const labelOf = ({ id, title }: Task, attempt: number) => ({ task: id, attempt, title });

async function publish(context: Pick<Context, 'trees'>, task: Task, attempt: number): Promise<Publication> {
  const trees = await context.trees();
  return await retryWhile(() => trees.publish(labelOf(task, attempt)), ['locked'], SURFACE_LIMITS.takeOverTries);
}

async function take(
  context: Pick<Context, 'integration'>,
  work: PublishedWork,
  request: TakeRequest,
): Promise<TakeOutcome> {
  const integration = await context.integration();
  return await retryWhile(() => integration.take(work, request), ['locked'], SURFACE_LIMITS.takeOverTries);
}

/** Reason why the work of an attempt is refused because it changes protected files; undefined if it does not. */
export async function protectedWork(
  context: Pick<Context, 'trees'>,
  { id, tags }: Task,
  attempt: number,
): Promise<string | undefined> {
  return protectedChange(tags, await (await context.trees()).changedPaths({ task: id, attempt }));
}

/** Retries while another git process is at work, which shows as one of `codes`. */
async function retryWhile<Value>(work: () => Promise<Value>, codes: readonly string[], tries: number): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const passes = error instanceof TroupeError && codes.includes(error.code);
      if (!passes || attempt === tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, SURFACE_LIMITS.takeOverPauseMs));
    }
  }
}

/**
 * Removes the worktree of an attempt that is over, if no work is lost. `worktree show` explains the ones that are kept.
 */
export async function tidyUp(
  context: GraphContext & FilesContext & MachineContext,
  id: string,
  attempt: number,
): Promise<void> {
  const how = (await loadSettings(context)).settings.coordinator.merge_back;
  const view = await (await context.graph()).view();
  const inUse =
    mayBeInPreparation(view, id, attempt) ||
    (await isInUse(context, view, id, attempt)) ||
    (await isResumable(context, view, id, attempt));
  const request = {
    task: id,
    attempt,
    inUse,
    branchStays: how === 'keep',
    discarding: (files: readonly string[], total: number) =>
      logDiscarded(context, id, listFiles(files, total, FILES_NAMED)),
  };
  const trees = await context.trees();
  // git fails to list worktrees while one is being created or removed.
  await retryWhile(() => trees.remove(request), ['locked', 'git_failed'], SURFACE_LIMITS.treeListTries);
}

/**
 * A worktree is created before its task is claimed: it may belong to the next attempt, which is not in the graph yet.
 */
function mayBeInPreparation(view: GraphView, id: string, attempt: number): boolean {
  const task = view.task(id);
  return task?.status === 'open' && attempt > (task.fence ?? 0);
}

/** Logs the discarded changes of a read-only attempt. */
async function logDiscarded(context: Pick<Context, 'clock' | 'graph'>, id: string, files: string): Promise<void> {
  const store = await context.graph();
  if ((await store.view()).task(id) === undefined) return;
  const options = { now: context.clock.now(), by: { name: 'coordinator' } };
  const text = `Warning: it was read-only; its changes were discarded: ${files}`;
  await store.commit((view) => logTask(view, id, text, options));
}

/**
 * Cleans up and lands after the end of an attempt is committed. Errors do not affect that commit and are returned as
 * warnings.
 */
export async function afterwards(
  context: GraphContext & FilesContext & MachineContext,
  id: string,
  attempt: number,
): Promise<string[]> {
  const warnings: string[] = [];
  for (const step of [() => tidyUp(context, id, attempt), () => landWhenClean(context)]) {
    try {
      await step();
    } catch (error) {
      warnings.push(asTroupeError(error).message);
    }
  }
  return warnings;
}

/**
 * With `land = "when-clean"`: moves the person's branch forward if that is possible now; `waits` if work cannot be
 * landed yet.
 */
export async function landWhenClean(context: FilesContext & MachineContext): Promise<'landed' | 'waits' | 'nothing'> {
  if ((await loadSettings(context)).settings.coordinator.land !== 'when-clean') return 'nothing';
  const integration = await context.integration();
  if ((await integration.waiting()) === 0) return 'nothing';
  const { relation, obstacle, to } = await integration.landing();
  if (relation === 'same' || relation === 'behind') return 'nothing';
  if (obstacle !== undefined) return 'waits';
  await integration.land(to);
  return 'landed';
}
