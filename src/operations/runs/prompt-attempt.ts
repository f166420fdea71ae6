import type { SandboxProfile } from '#core/catalog/policies.js';
import { needsCommits } from '#core/graph/meta.js';
import { mayAddTasks } from '#core/graph/run-rights.js';
import type { Task } from '#core/graph/task.js';
import type { GraphView } from '#core/graph/view.js';
import { type Execution, executionOf } from '#core/runs/chains.js';
import { builtInExecutor } from '#core/runs/executor-table.js';
import type { Executor } from '#core/runs/plan.js';
import type { PromptFacts, Scope } from '#core/runs/prompt-facts.js';
import { type EffectiveConfig, seedLimits } from '#core/settings/settings.js';
import { reviewedTaskIds } from '#core/teams/reviewed-tasks.js';
import { TroupeError } from '#kernel/errors.js';
import { assignedTo, executionSources } from '#operations/agency/assignee.js';
import type { Context } from '#operations/operation.js';
import { attemptOf } from '#operations/review/attempt.js';
import { executorNamed } from '#operations/settings/usable-executors.js';
import { choiceOf } from '#operations/workflows/policy.js';
import type { RunTree } from '#ports/attempt-trees.js';
import { type AttemptPrompt, promptOf } from './prompt-of.js';
import { attemptTree } from './workplaces.js';

export interface PromptRequest {
  /** Fence of its claim. */
  readonly number: number;
  /** Overrides the executor in force. */
  readonly executor?: string | undefined;
  /** Client chosen for it; overrides that of its agent. */
  readonly decided?: string | undefined;
  /** Model of its session. */
  readonly sessionModel?: string | undefined;
  /** Overrides every other model. */
  readonly model?: string | undefined;
  readonly scope?: Scope | undefined;
  /** A worker carries it out. */
  readonly travels?: boolean | undefined;
}

/** An attempt as it would be started: its execution, worktree and prompt. */
export interface PlannedAttempt {
  readonly execution: Execution;
  /** Undefined if it works in the project. */
  readonly tree: RunTree | undefined;
  readonly prompt: AttemptPrompt;
}

/**
 * Computes everything that determines the prompt of an attempt; shared by its start and its preview. Changes nothing.
 * Errors: `exec_missing`, `unknown_task`, those of worktrees, `not_found` for a sandbox profile, `catalog_invalid`.
 */
export async function attemptAt(
  context: Context,
  view: GraphView,
  task: Task,
  inForce: EffectiveConfig,
  request: PromptRequest,
): Promise<PlannedAttempt> {
  const { coordinator } = inForce.settings;
  const assigned = await assignedTo(context, task);
  const executor = request.executor ?? inForce.executor;
  // Model and provider of the settings apply only to the client that they name.
  const ofSettings = executor === inForce.executor ? { model: inForce.model, provider: coordinator.provider } : {};
  const session = {
    executor,
    ...ofSettings,
    ...(request.sessionModel === undefined ? {} : { model: request.sessionModel }),
    scope: coordinator.default_context_scope,
  };
  const base = executionOf({ task, ...executionSources(assigned), session, decided: request.decided }, () => ({}));
  const named = request.model === undefined ? base : { ...base, model: request.model };
  const execution = await confine(context, named);
  const { mode } = execution;
  const judgesTree = await hasTree(context, view, reviewedTaskIds(task));
  const placed = {
    attempt: request.number,
    mode,
    follows: needsCommits(view, task) || judgesTree,
    travels: request.travels === true,
  };
  const tree = mode === 'shell' ? undefined : await attemptTree(context, task, placed, inForce.settings);
  const definition = await executorOf(context, execution.executor);
  const prompt = await promptOf(context, view, task.id, {
    number: request.number,
    execution,
    scope: request.scope,
    tree: tree ? 'own' : await sharedTree(context, execution),
    lacks: tree ? (await (await context.trees()).gaps()).map(({ text }) => text) : [],
    mayAdd: mayAddTasks(view, task, seedLimits(inForce.settings)),
    rules: definition?.rules ?? [],
    ways: { report: definition?.reports ?? { by: 'commands' }, commits: definition?.commits ?? 'shell' },
  });
  return { execution, tree, prompt };
}

/** Whether judged work is in a worktree; it is then judged in one. */
async function hasTree(context: Pick<Context, 'runs'>, view: GraphView, judged: readonly string[]): Promise<boolean> {
  for (const id of judged) if (await attemptOf(context, view.task(id))) return true;
  return false;
}

/** The prompt describes git only to clients that may change files; git is queried only for them. */
async function sharedTree(context: Pick<Context, 'trees'>, { mode }: Execution): Promise<PromptFacts['tree']> {
  if (mode !== 'full') return 'none';
  const { place } = await (await context.trees()).workplace({ isolation: 'auto', mode, follows: false });
  return place === 'worktree' ? 'shared' : 'none';
}

/** The executor; undefined if it is unknown or unusable, which is reported when it is started. */
async function executorOf(
  context: Pick<Context, 'executorFiles' | 'executorTrust'>,
  name: string,
): Promise<Executor | undefined> {
  try {
    return builtInExecutor(name) ?? (await executorNamed(context, name)).executor;
  } catch (error) {
    if (error instanceof TroupeError) return undefined;
    throw error;
  }
}

/**
 * Restricts a mode to the sandbox profile of the project. No client can ask a person during a run, and not every client
 * can write without a shell: a profile that forbids either, or requires asking, leaves read-only mode. Errors:
 * `not_found` for an unknown profile; nothing starts then.
 */
export async function confine<Work extends { readonly mode: string }>(
  context: Pick<Context, 'squad' | 'catalog'>,
  work: Work,
): Promise<Work> {
  const { sandbox_profile: id } = await choiceOf(context);
  if (id === undefined) return work;
  const profile = (await (await context.catalog()).sandboxProfiles()).get(id);
  if (!profile) throw new TroupeError('not_found', { what: `There is no sandbox profile “${id}”.` });
  return work.mode === 'full' && !worksFreely(profile) ? { ...work, mode: 'light' } : work;
}

function worksFreely({ write, shell }: SandboxProfile): boolean {
  return write && shell === 'allow';
}
