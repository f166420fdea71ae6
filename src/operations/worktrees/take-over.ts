/**
 * `worktree list|show|remove|land`, merging the work of an attempt, the check behind `--require-commit`.
 * @packageDocumentation
 */
import type { FinishResult } from '#core/coordinator/finish.js';
import { logTask } from '#core/graph/moves.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { protectedChange } from '#core/lanes/protected-path.js';
import { listFiles } from '#core/worktrees/state.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { isOutOfReach } from '#kernel/out-of-reach.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import type { Publication, PublishedWork } from '#ports/attempt-trees.js';
import type { TakeOutcome, TakeRequest } from '#ports/integration.js';
import { isInUse, isResumable } from './worktrees.js';

export type Merge = NonNullable<FinishResult['merge']>;
type MergeContext = Pick<Context, 'trees' | 'integration' | 'settings' | 'trust'>;
type Tidying = MergeContext & Pick<Context, 'graph' | 'runs' | 'clock'>;

const FILES_NAMED = 10;

/**
 * Takes the work of an attempt whose run is over into wg/integration, as `merge_back` says: what `handOver` answered, or, where that could
 * not be done, what can be handed over now. Nothing is thrown that a person could do something about: `held` says it. Done again it
 * finds that it was done.
 */
export async function takeOver(
  context: MergeContext,
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

/** The same for whoever tries again what is out of reach for now: that is thrown. */
export async function takeOverWhenReached(...[context, task, attempt, handedOver]: Parameters<typeof takeOver>) {
  try {
    return await mergeBack(context, task, attempt, handedOver);
  } catch (error) {
    if (isOutOfReach(error)) throw error;
    return unmerged(error);
  }
}

async function mergeBack(
  context: MergeContext,
  task: Task,
  attempt: number,
  handedOver: Publication | undefined,
): Promise<Merge> {
  const how = (await loadSettings(context)).settings.coordinator.merge_back;
  const work = handedOver ?? (await publish(context, task, attempt));
  const isTaken = work.outcome === 'published' && how !== 'keep';
  // Asked of the very commit that would be merged, and where it is merged: whoever made it cannot answer for it.
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
 * Hands over the work of an attempt whose run is over, committed, so that it has a commit with a name. What cannot be handed over stays as
 * it is, and its evidence says so.
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
  return await retryWhile(() => trees.publish(labelOf(task, attempt)), ['locked'], LIMITS.takeOverTries);
}

async function take(
  context: Pick<Context, 'integration'>,
  work: PublishedWork,
  request: TakeRequest,
): Promise<TakeOutcome> {
  const integration = await context.integration();
  return await retryWhile(() => integration.take(work, request), ['locked'], LIMITS.takeOverTries);
}

/** Why the work of an attempt is not taken as it touches what agents do not write; undefined where it does not. */
export async function protectedWork(
  context: Pick<Context, 'trees'>,
  { id, tags }: Task,
  attempt: number,
): Promise<string | undefined> {
  return protectedChange(tags, await (await context.trees()).changedPaths({ task: id, attempt }));
}

/** Another git at work passes by itself; `codes`: how it is noticed. */
async function retryWhile<Value>(work: () => Promise<Value>, codes: readonly string[], tries: number): Promise<Value> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const passes = error instanceof TroupeError && codes.includes(error.code);
      if (!passes || attempt === tries) throw error;
      await new Promise((resolve) => setTimeout(resolve, LIMITS.takeOverPauseMs));
    }
  }
}

/** Removes the worktree of an attempt that is over, if nothing is lost by it. What is kept, `worktree list` explains. */
export async function tidyUp(context: Tidying, id: string, attempt: number): Promise<void> {
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
  // git gives up on its list of worktrees when it meets one that is just being made or removed.
  await retryWhile(() => trees.remove(request), ['locked', 'git_failed'], LIMITS.treeListTries);
}

/** The worktree of an attempt is made before its task is claimed: the next one, which the graph does not know yet, finds it. */
function mayBeInPreparation(view: GraphView, id: string, attempt: number): boolean {
  const task = view.task(id);
  return task?.status === 'open' && attempt > (task.fence ?? 0);
}

/** Whoever was to read only, and changed something, is not answered by silence. */
async function logDiscarded(context: Tidying, id: string, files: string): Promise<void> {
  const store = await context.graph();
  if ((await store.view()).task(id) === undefined) return;
  const options = { now: context.clock.now(), by: { name: 'coordinator' } };
  const text = `Warning: it was read-only; its changes were discarded: ${files}`;
  await store.commit((view) => logTask(view, id, text, options));
}

/** What follows once the end of an attempt is committed; what went wrong in it changes nothing of that, and is only told. */
export async function afterwards(context: Tidying, id: string, attempt: number): Promise<string[]> {
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
 * Where a person chose `land = "when-clean"`: moves their branch forward, if that can be done now. Answers whether something
 * waits that cannot be landed yet.
 */
export async function landWhenClean(context: MergeContext): Promise<'landed' | 'waits' | 'nothing'> {
  if ((await loadSettings(context)).settings.coordinator.land !== 'when-clean') return 'nothing';
  const integration = await context.integration();
  if ((await integration.waiting()) === 0) return 'nothing';
  const { relation, obstacle, to } = await integration.landing();
  if (relation === 'same' || relation === 'behind') return 'nothing';
  if (obstacle !== undefined) return 'waits';
  await integration.land(to);
  return 'landed';
}
