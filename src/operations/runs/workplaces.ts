import { firstUsableFence } from '#core/graph/attempts.js';
import type { Task } from '#core/graph/task.js';
import { trialOf } from '#core/graph/trial.js';
import type { GraphView } from '#core/graph/view.js';
import type { IsolationFacts } from '#core/runs/isolation.js';
import type { Settings } from '#core/settings/settings.js';
import { reviewedTaskIds } from '#core/teams/reviewed-tasks.js';
import { TroupeError } from '#kernel/errors.js';
import type { FilesContext, GraphContext, MachineContext } from '#operations/contexts.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import { attemptOf, isAtWork, resumableAttempt, stateOfAttempt } from '#operations/review/attempt.js';
import { handOver } from '#operations/review/take-over.js';
import type { AttemptRequest, PublishedCommit, RunTree } from '#ports/attempt-trees.js';
import { setUp } from './worktree-setup.js';

/** An attempt that needs a working place. */
export interface PlaceRequest {
  readonly attempt: number;
  readonly mode: IsolationFacts['mode'];
  /** It follows merged work, or judges work in a worktree. */
  readonly follows: boolean;
  /** A worker creates the worktree: local files of an earlier attempt are then not continued. */
  readonly travels?: boolean;
}

/**
 * Commit of the work that a task judges, if that work is in a worktree whose files the judge must read. Undefined if
 * there is none or it was merged. Uncommitted changes are committed and handed over first.
 */
export async function workUnderReview(
  context: Pick<Context, 'runs' | 'trees'>,
  view: GraphView,
  task: Task,
): Promise<PublishedCommit | undefined> {
  for (const id of reviewedTaskIds(task)) {
    const judged = view.task(id);
    const attempt = judged?.status === 'pending-validation' ? await attemptOf(context, judged) : undefined;
    if (judged === undefined || attempt === undefined || (await isAtWork(context, attempt))) continue;
    const work = await handOver(context, judged, attempt.attempt);
    if (work?.outcome === 'published') return work;
    const commit = (await stateOfAttempt(context, attempt))?.head; // without uncommitted changes
    return commit === undefined ? undefined : { branch: attempt.branch, commit };
  }
  return undefined;
}

/** Working places of commands that follow merged work. */
export interface CommandPlaces {
  /**
   * Creates the worktree of a claimed attempt; undefined if it runs in the project. Any error is the reason why there
   * is no run.
   */
  enter(task: Task, attempt: number, signal: AbortSignal): Promise<RunTree | undefined>;
  /** Request for a worker to create the worktree of a claimed attempt; undefined if it would run in the project. */
  order(task: Task, attempt: number): Promise<{ readonly tree: RunTree; readonly request: AttemptRequest } | undefined>;
}

/** Places for commands that follow merged work, with files that contain it. */
export function commandPlaces(context: GraphContext & FilesContext & MachineContext): CommandPlaces {
  return {
    async enter(task, attempt, signal) {
      const { settings } = await loadSettings(context);
      const tree = await attemptTree(context, task, { attempt, mode: 'shell', follows: true }, settings);
      if (tree) await makeTree(context, task, tree, { underReview: undefined, signal });
      return tree;
    },
    async order(task, attempt) {
      const { settings } = await loadSettings(context);
      const tree = await attemptTree(context, task, { attempt, mode: 'shell', follows: true }, settings);
      return tree && { tree, request: await treeRequest(context, task, tree, undefined) };
    },
  };
}

/** Name and path of an attempt's worktree, without creating it; undefined if it works in the project itself. */
export async function attemptTree(
  context: Pick<Context, 'trees' | 'runs'>,
  task: Task,
  { attempt, mode, follows, travels }: PlaceRequest,
  { coordinator }: Settings,
): Promise<RunTree | undefined> {
  const { worktree_isolation, follow } = coordinator;
  // A trial never works in the project, regardless of the settings.
  const isolation = trialOf(task) === undefined ? worktree_isolation : 'on';
  if (isolation === 'off') return undefined;
  const trees = await context.trees();
  const workplace = await trees.workplace({
    isolation,
    mode,
    follows: follows && (task.in ?? follow) !== 'project',
  });
  if (workplace.place === 'nowhere') throw new TroupeError(workplace.code);
  if (workplace.place === 'project') return undefined;
  const number = (travels === true ? undefined : await resumableTree(context, task, mode)) ?? attempt;
  return { ...(await trees.placeOf({ task: task.id, attempt: number })), attempt: number, mode };
}

/**
 * Number of the worktree in which the last attempt of a client parked its task or died; the next attempt continues
 * there, where its client finds its session. Undefined if there is none, its work was set aside, or it no longer fits.
 */
async function resumableTree(
  context: Pick<Context, 'trees' | 'runs'>,
  task: Task,
  mode: RunTree['mode'],
): Promise<number | undefined> {
  const last = mode === 'shell' ? undefined : await resumableAttempt(context, task);
  const since = firstUsableFence(task);
  if (last === undefined || (since !== undefined && last.attempt < since)) return undefined;
  const fits = await (await context.trees()).fits({ task: task.id, attempt: last.attempt }, isReading(task, mode));
  return fits ? last.attempt : undefined;
}

/** Whether changes are never merged: for read-only modes and for tasks that judge. */
function isReading(task: Task, mode: RunTree['mode']): boolean {
  return mode === 'light' || mode === 'bare' || reviewedTaskIds(task).length > 0;
}

/**
 * Creates the worktree of an attempt. A client that may change files continues from earlier attempts; commands and
 * read-only clients see only merged work, or the commit under review. Changes by read-only clients and by trials are
 * never merged. The setup runs once; if it fails, the attempt cannot run.
 */
export async function makeTree(
  context: FilesContext & MachineContext,
  task: Task,
  tree: RunTree,
  { underReview, signal }: { readonly underReview: PublishedCommit | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const request = await treeRequest(context, task, tree, underReview);
  await enterTree(context, { request, tree, setsUp: isSetUpFor(tree.mode) }, signal);
}

/** Whether a mode needs the setup of the project: read-only modes do not. */
export function isSetUpFor(mode: RunTree['mode']): boolean {
  return mode === 'full' || mode === 'shell';
}

/** Request to create the worktree of an attempt, here or at a worker, from a published commit. */
export async function treeRequest(
  context: FilesContext & MachineContext,
  task: Task,
  { attempt, mode }: Pick<RunTree, 'attempt' | 'mode'>,
  underReview: PublishedCommit | undefined,
): Promise<AttemptRequest> {
  const since = firstUsableFence(task);
  const { settings } = await loadSettings(context);
  const looksAt = trialOf(task)?.base ?? underReview?.commit;
  return {
    task: task.id,
    attempt,
    base: looksAt ?? (await (await context.integration()).base()),
    fresh: mode !== 'full',
    readOnly: isReading(task, mode),
    trial: looksAt !== undefined,
    copy: settings.worktree.copy,
    ...(since === undefined ? {} : { since }),
    ...(underReview === undefined ? {} : { publishedAs: underReview.branch }),
  };
}

/** Publishes the latest earlier attempt on this machine, which lets an attempt on another machine continue from it. */
export async function publishEarlier(context: Pick<Context, 'trees'>, task: Task, attempt: number): Promise<void> {
  const since = firstUsableFence(task) ?? 1;
  const here = (await (await context.trees()).attempts(task.id)).filter(
    (number) => number < attempt && number >= since,
  );
  const last = here.at(-1);
  if (last !== undefined) await handOver(context, task, last);
}

/** Creates a worktree on this machine, and runs its setup if that is needed and has not run yet. */
export async function enterTree(
  context: FilesContext & MachineContext,
  { request, tree, setsUp }: { readonly request: AttemptRequest; readonly tree: RunTree; readonly setsUp: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { isSetUp } = await (await context.trees()).create(request);
  if (!isSetUp && setsUp) await setUp(context, { task: request.task, tree }, signal);
}
