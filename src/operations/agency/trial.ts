import { blocksOf, type Judgement, judgementIn, scoreOf } from '#core/agency/evaluation-judge.js';
import type { ReplayedWork } from '#core/agency/replay-record.js';
import { addTrial, isTrialOver } from '#core/agency/trial.js';
import type { TrialIdentity } from '#core/agency/trial-identity.js';
import { timeoutOf } from '#core/coordinator/dispatch.js';
import { AGENT } from '#core/graph/assignee.js';
import { TOKEN_USAGE } from '#core/graph/attempts.js';
import type { Plan } from '#core/graph/event.js';
import { evidenceOf } from '#core/graph/evidence.js';
import { lastWordsOf } from '#core/graph/last-words.js';
import type { MoveOptions } from '#core/graph/moves.js';
import { pauseTask } from '#core/graph/pause.js';
import type { Task } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import type { GraphView } from '#core/graph/view.js';
import { removeTasks } from '#core/history/departures.js';
import { isLiveStatus } from '#core/runs/run-status.js';
import { parseDuration } from '#kernel/duration.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { redact } from '#kernel/secrets.js';
import { identityBlocks, output, requestBlocks } from '#operations/agency/judgement.js';
import { evaluatorOf } from '#operations/agency/model-evaluations.js';
import type { FilesContext, MachineContext, ModelContext, WorkContext } from '#operations/contexts.js';
import type { CoordinatorFacts } from '#operations/coordinator-facts.js';
import { followUntil } from '#operations/follow-until.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import { ask } from '#operations/settings/ask.js';
import { moverOf } from '#operations/shapes.js';
import type { GraphStore } from '#ports/graph-store.js';

export interface TrialRequest {
  readonly task: Task;
  readonly base: string;
  readonly identity: TrialIdentity;
}

/** Judged work on a task with its costs, or the reason why nothing could be judged. */
export type WorkOrReason = { readonly work: ReplayedWork } | { readonly reason: string };

/**
 * Redoes a finished task with a given identity: a normal attempt of a client, started by the coordinator, in its own
 * worktree from the task's base commit. Nothing is merged; task, run and worktree are removed in any case. No lock is
 * held meanwhile.
 */
export async function tryTask(
  context: Context,
  coordinator: CoordinatorFacts,
  request: TrialRequest,
  costs: number[],
): Promise<WorkOrReason> {
  const store = await context.graph();
  const name = context.freshId();
  const { result } = await store.commit((view) =>
    addTrial(view, request.task, { ...request, name, now: context.clock.now(), actor: moverOf(context).name }),
  );
  try {
    const refused = await begin(coordinator, store, request.task, result.id);
    if (refused !== undefined) return { reason: refused };
    const patience = await trialTimeoutMs(context, request.task);
    const isOver = async () => isTrialOver(taskOf(await store.view(), result.id));
    if (!(await followUntil(store, isOver, patience))) return { reason: 'Its attempt did not finish in time.' };
    return await judged(context, request.task, taskOf(await store.view(), result.id), costs);
  } finally {
    await discardTrials(context, coordinator, store, [result.id]);
  }
}

/** Starts the trial with the agent's own client if available. Returns the reason if it cannot start. */
async function begin(
  coordinator: CoordinatorFacts,
  store: GraphStore,
  task: Task,
  id: string,
): Promise<string | undefined> {
  const executor = coordinator.agency?.agents.get(AGENT.of(task) ?? '')?.executor;
  try {
    await coordinator.spawn({ task: id, executor });
    return undefined;
  } catch (error) {
    const { status } = taskOf(await store.view(), id);
    if (status !== 'open') return undefined; // another tick was faster
    return asTroupeError(error).message;
  }
}

/** Twice the timeout of the task, since the client may be asked once more for its report. */
async function trialTimeoutMs(context: Pick<Context, 'settings' | 'trust'>, task: Task): Promise<number> {
  const { coordinator } = (await loadSettings(context)).settings;
  return 2 * timeoutOf(task, parseDuration(coordinator.agent_timeout)) + AGENCY_LIMITS.trialMarginMs;
}

/** Judges its output blindly. */
async function judged(context: Context, task: Task, trial: Task, costs: number[]): Promise<WorkOrReason> {
  const usage = TOKEN_USAGE.of(trial) ?? {};
  const spent = usage['cost_usd'];
  if (typeof spent === 'number') costs.push(spent);
  const difference = await differenceOf(context, trial);
  const words = lastWordsOf(trial) ?? '';
  const { failure_reason: reason = `It is ${trial.status}.` } = trial;
  if (difference === '' && words === '' && (trial.artifacts ?? []).length === 0) return { reason };
  const judgement = await judgementOf(context, task, await output(context, trial), costs);
  if (typeof judgement === 'string') return { reason: judgement };
  const work = {
    score: scoreOf(judgement.dimensions),
    dimensions: judgement.dimensions,
    notes: judgement.notes,
    work: boundedWork(difference),
    attempt: {
      status: trial.status,
      run: trial.assigned ?? null,
      check_exit: evidenceOf(trial).exit ?? null,
      last_words: redact(words),
      usage,
    },
  };
  return { work };
}

export function boundedWork(text: string): string {
  return redact(Buffer.from(text).subarray(0, AGENCY_LIMITS.replayWorkBytes).toString('utf8'));
}

/** Both sides get the same evaluator and request, without their identity. */
export async function judgementOf(
  context: WorkContext & ModelContext & MachineContext,
  task: Task,
  shown: readonly (readonly [label: string, text: string])[],
  costs: number[],
): Promise<Judgement | string> {
  const evaluator = await evaluatorOf(context, task);
  const reply = await ask(context, {
    purpose: 'evaluator',
    name: 'evaluate',
    task: task.id,
    tries: TEAM_LIMITS.evaluationTries,
    blocks: blocksOf([...requestBlocks(task), ...identityBlocks('you judge as', evaluator), ...shown]),
    take: judgementIn,
  });
  if (reply.costUsd !== undefined) costs.push(reply.costUsd);
  return reply.failure ? reply.failure.reason : reply.answer;
}

/** Diff of all changes against the base commit; empty without changes. */
async function differenceOf(context: Pick<Context, 'trees'>, trial: Task): Promise<string> {
  const trees = await context.trees();
  const attempt = (await trees.attempts(trial.id)).at(-1);
  if (attempt === undefined) return '';
  const key = { task: trial.id, attempt };
  try {
    await trees.commit(key, 'What was tested');
  } catch (error) {
    // The worktree was read-only, or has an unfinished merge: only the committed part and the rest known to git is
    // shown.
    if (!(error instanceof TroupeError)) throw error;
  }
  return await trees.patch(key, TEAM_LIMITS.evaluationArtifactBytes);
}

/**
 * Ends running trials, removes their worktrees, and then removes them from the graph: as long as a trial is in the
 * graph, the next service can clean up after a crash.
 */
export async function discardTrials(
  context: FilesContext,
  coordinator: CoordinatorFacts,
  store: GraphStore,
  ids: readonly string[],
): Promise<void> {
  const by = moverOf(context);
  const left = (view: GraphView) => ids.flatMap((id) => view.task(id) ?? []);
  // Prevents released trials from being started again.
  await store.commit((view) => haltTrials(view, left(view), { now: context.clock.now(), by }));
  const running = async () =>
    (await coordinator.agents()).filter((run) => ids.includes(run.task_id) && isLiveStatus(run.status));
  for (const { id } of await running()) await endRun(coordinator, id);
  await followUntil(store, async () => (await running()).length === 0, AGENCY_LIMITS.trialMarginMs);
  const trees = await context.trees();
  for (const task of ids)
    for (const attempt of await trees.attempts(task)) await trees.remove({ task, attempt, force: true });
  await store.commit((view) => takeOutAny(left(view), by.name));
}

function haltTrials(view: GraphView, trials: readonly Task[], options: MoveOptions): Plan<undefined> {
  const open = trials.filter((trial) => !isTrialOver(trial));
  return { events: open.flatMap(({ id }) => pauseTask(view, id, options).events), result: undefined };
}

function takeOutAny(trials: readonly Task[], by: string): Plan<unknown> {
  return trials.length === 0 ? { events: [], result: undefined } : removeTasks(trials, 'gc', by);
}

async function endRun(coordinator: CoordinatorFacts, run: string): Promise<void> {
  try {
    await coordinator.kill(run);
  } catch (error) {
    if (!(error instanceof TroupeError) || error.code !== 'not_found') throw error; // it ended by itself
  }
}
