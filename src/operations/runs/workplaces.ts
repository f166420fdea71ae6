import { beginsAfresh } from '#core/graph/attempts.js';
import type { Task } from '#core/graph/task.js';
import { trialOf } from '#core/graph/trial.js';
import type { GraphView } from '#core/graph/view.js';
import type { Settings } from '#core/settings/settings.js';
import { judgedWork } from '#core/teams/judged-work.js';
import type { IsolationFacts } from '#core/worktrees/isolation.js';
import { TroupeError } from '#kernel/errors.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import { attemptOf, isAtWork, resumableAttempt, stateOfAttempt } from '#operations/worktrees/attempt.js';
import { handOver } from '#operations/worktrees/take-over.js';
import type { AttemptRequest, PublishedCommit, RunTree } from '#ports/attempt-trees.js';
import { type SetupContext, setUp } from './worktree-setup.js';

type MakingContext = SetupContext & Pick<Context, 'integration'>;
type PlaceContext = MakingContext & Pick<Context, 'runs'>;

/** What is known of an attempt that needs a place. */
export interface PlaceRequest {
  readonly attempt: number;
  readonly mode: IsolationFacts['mode'];
  /** It comes after work that was merged, or judges work in a worktree. */
  readonly follows: boolean;
  /** A worker makes it: then what lies here of an earlier attempt is not gone on in. */
  readonly travels?: boolean;
}

/**
 * The commit of the work that a task judges, where that waits in a worktree: whoever judges it reads those files. Undefined where there is
 * none, or it was merged. What its attempt left uncommitted is committed first, and handed over.
 */
export async function workUnderReview(
  context: PlaceContext,
  view: GraphView,
  task: Task,
): Promise<PublishedCommit | undefined> {
  for (const id of judgedWork(task)) {
    const judged = view.task(id);
    const attempt = judged?.status === 'pending-validation' ? await attemptOf(context, judged) : undefined;
    if (judged === undefined || attempt === undefined || (await isAtWork(context, attempt))) continue;
    const work = await handOver(context, judged, attempt.attempt);
    if (work?.outcome === 'published') return work;
    const commit = (await stateOfAttempt(context, attempt))?.head; // as far as it is committed
    return commit === undefined ? undefined : { branch: attempt.branch, commit };
  }
  return undefined;
}

/** Where commands run that come after merged work. */
export interface CommandPlaces {
  /** Makes the worktree of a claimed attempt; undefined: it runs in the project. Whatever it throws is why there is no run. */
  enter(task: Task, attempt: number, signal: AbortSignal): Promise<RunTree | undefined>;
  /** The worktree of a claimed attempt as a worker is to make it; undefined: it would run in the project. */
  order(task: Task, attempt: number): Promise<{ readonly tree: RunTree; readonly request: AttemptRequest } | undefined>;
}

/** Commands that come after merged work run on files that have it. */
export function commandPlaces(context: PlaceContext): CommandPlaces {
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

/** The worktree that an attempt gets, named and not made; undefined: it works in the project itself. */
export async function attemptTree(
  context: Pick<Context, 'trees' | 'runs'>,
  task: Task,
  { attempt, mode, follows, travels }: PlaceRequest,
  { coordinator }: Settings,
): Promise<RunTree | undefined> {
  const { worktree_isolation, follow } = coordinator;
  // What is only tried has no place in the project, whatever the settings say of work.
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
 * The worktree in which the last attempt of a client parked its task or died: whoever comes next goes on there, where its client
 * finds its session. Undefined when there is none, its work was set aside, or it is no longer fit for that.
 */
async function resumableTree(
  context: Pick<Context, 'trees' | 'runs'>,
  task: Task,
  mode: RunTree['mode'],
): Promise<number | undefined> {
  const last = mode === 'shell' ? undefined : await resumableAttempt(context, task);
  const since = beginsAfresh(task);
  if (last === undefined || (since !== undefined && last.attempt < since)) return undefined;
  const fits = await (await context.trees()).fits({ task: task.id, attempt: last.attempt }, isReading(task, mode));
  return fits ? last.attempt : undefined;
}

/** Of whoever judges nothing is merged, whatever its client may do. */
function isReading(task: Task, mode: RunTree['mode']): boolean {
  return mode === 'light' || mode === 'bare' || judgedWork(task).length > 0;
}

/**
 * Makes it. Whoever may change files goes on from what an earlier attempt left; a command, and whoever only reads, sees what
 * was merged and nothing else, or the commit under review. What a client changes that was to read only, or that tries something from a commit of its own, is
 * never merged. Its setup runs once; an error of it is why nobody can work there.
 */
export async function makeTree(
  context: MakingContext,
  task: Task,
  tree: RunTree,
  { underReview, signal }: { readonly underReview: PublishedCommit | undefined; readonly signal: AbortSignal },
): Promise<void> {
  const request = await treeRequest(context, task, tree, underReview);
  await enterTree(context, { request, tree, setsUp: isSetUpFor(tree.mode) }, signal);
}

/** Whether whoever works in this mode needs the setup of the project: who only reads does not. */
export function isSetUpFor(mode: RunTree['mode']): boolean {
  return mode === 'full' || mode === 'shell';
}

/** The worktree of an attempt as it is to be made, here or at another machine: from a commit that was published. */
export async function treeRequest(
  context: Pick<Context, 'integration' | 'settings' | 'trust'>,
  task: Task,
  { attempt, mode }: Pick<RunTree, 'attempt' | 'mode'>,
  underReview: PublishedCommit | undefined,
): Promise<AttemptRequest> {
  const since = beginsAfresh(task);
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

/** Publishes what lies here of earlier attempts, so that an attempt at another machine goes on from it. */
export async function publishEarlier(context: Pick<Context, 'trees'>, task: Task, attempt: number): Promise<void> {
  const since = beginsAfresh(task) ?? 1;
  const here = (await (await context.trees()).attempts(task.id)).filter(
    (number) => number < attempt && number >= since,
  );
  const last = here.at(-1);
  if (last !== undefined) await handOver(context, task, last);
}

/** Makes a worktree at this machine, with its setup where it is to have one and had none yet. */
export async function enterTree(
  context: SetupContext,
  { request, tree, setsUp }: { readonly request: AttemptRequest; readonly tree: RunTree; readonly setsUp: boolean },
  signal: AbortSignal,
): Promise<void> {
  const { isSetUp } = await (await context.trees()).create(request);
  if (!isSetUp && setsUp) await setUp(context, { task: request.task, tree }, signal);
}
