import { blocksOf, type Judgement, judgementIn, scoreOf } from '#core/agency/evaluation-judge.js';
import type { TrialIdentity } from '#core/agency/trial-identity.js';
import { timeoutOf } from '#core/coordinator/dispatch.js';
import type { ReplayedWork } from '#core/evolution/replay-record.js';
import { addTrial, isTrialOver } from '#core/evolution/trial.js';
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
import { takeOut } from '#core/history/departures.js';
import { isLiveStatus } from '#core/runs/run-status.js';
import { parseDuration } from '#kernel/duration.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { LIMITS } from '#kernel/limits.js';
import { redact } from '#kernel/secrets.js';
import { identityBlocks, output, requestBlocks } from '#operations/agency/judgement.js';
import { evaluatorOf } from '#operations/agency/model-evaluations.js';
import type { CoordinatorFacts } from '#operations/coordinator-facts.js';
import { followUntil } from '#operations/follow-until.js';
import { loadSettings } from '#operations/load-settings.js';
import { ask } from '#operations/models/ask.js';
import type { Context } from '#operations/operation.js';
import { moverOf } from '#operations/shapes.js';
import type { GraphStore } from '#ports/graph-store.js';

export interface TrialRequest {
  readonly task: Task;
  readonly base: string;
  readonly identity: TrialIdentity;
}

/** What somebody made of a task, and what judging it cost; or why there is nothing that could be judged. */
export type WorkOrReason = { readonly work: ReplayedWork } | { readonly reason: string };

/**
 * A finished task done once more as somebody: an attempt of a client like any other, begun by the coordinator, in a worktree of its
 * own from the commit the task began with. Nothing of it is merged; its task, its run and its worktree go with it, whatever
 * happens. No lock is held while it works.
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
    const patience = await patienceFor(context, request.task);
    const isOver = async () => isTrialOver(taskOf(await store.view(), result.id));
    if (!(await followUntil(store, isOver, patience))) return { reason: 'Its attempt did not finish in time.' };
    return await judged(context, request.task, taskOf(await store.view(), result.id), costs);
  } finally {
    await throwAway(context, coordinator, store, [result.id]);
  }
}

/** By the agent's own client where it has one that can be started. Answers why it cannot begin. */
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
    if (status !== 'open') return undefined; // a round was faster
    return asTroupeError(error).message;
  }
}

/** Twice its time box, as it may be asked once for its report. */
async function patienceFor(context: Context, task: Task): Promise<number> {
  const { coordinator } = (await loadSettings(context)).settings;
  return 2 * timeoutOf(task, parseDuration(coordinator.agent_timeout)) + AGENCY_LIMITS.trialMarginMs;
}

/** What it made, as somebody sees it who does not know whose it is. */
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
    ...{ score: scoreOf(judgement.dimensions), dimensions: judgement.dimensions, notes: judgement.notes },
    work: boundedWork(difference),
    attempt: {
      ...{ status: trial.status, run: trial.assigned ?? null, check_exit: evidenceOf(trial).exit ?? null },
      ...{ last_words: redact(words), usage },
    },
  };
  return { work };
}

export function boundedWork(text: string): string {
  return redact(Buffer.from(text).subarray(0, AGENCY_LIMITS.replayWorkBytes).toString('utf8'));
}

/** Both are judged by the same eyes, on the same request, without a word of who they are. */
export async function judgementOf(
  context: Context,
  task: Task,
  shown: readonly (readonly [label: string, text: string])[],
  costs: number[],
): Promise<Judgement | string> {
  const evaluator = await evaluatorOf(context, task);
  const reply = await ask(context, {
    ...{ purpose: 'evaluator', name: 'evaluate', task: task.id, tries: LIMITS.evaluationTries },
    blocks: blocksOf([...requestBlocks(task), ...identityBlocks('you judge as', evaluator), ...shown]),
    take: judgementIn,
  });
  if (reply.costUsd !== undefined) costs.push(reply.costUsd);
  return reply.failure ? reply.failure.reason : reply.answer;
}

/** Everything it changed against the commit it began from; empty where it changed nothing. */
async function differenceOf(context: Context, trial: Task): Promise<string> {
  const trees = await context.trees();
  const attempt = (await trees.attempts(trial.id)).at(-1);
  if (attempt === undefined) return '';
  const key = { task: trial.id, attempt };
  try {
    await trees.commit(key, 'What was tested');
  } catch (error) {
    // It was there to be read only, or left a merge half-way: what is committed is shown, and what git knows of.
    if (!(error instanceof TroupeError)) throw error;
  }
  return await trees.patch(key, LIMITS.evaluationArtifactBytes);
}

/**
 * Ends what still runs of trials, removes their worktrees, and then takes them out of the graph: as long as a trial is there, the next
 * service finds what a dead one left.
 */
export async function throwAway(
  context: Context,
  coordinator: CoordinatorFacts,
  store: GraphStore,
  ids: readonly string[],
): Promise<void> {
  const by = moverOf(context);
  const left = (view: GraphView) => ids.flatMap((id) => view.task(id) ?? []);
  // Nobody takes up again what is given back by its end.
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
  return trials.length === 0 ? { events: [], result: undefined } : takeOut(trials, 'gc', by);
}

async function endRun(coordinator: CoordinatorFacts, run: string): Promise<void> {
  try {
    await coordinator.kill(run);
  } catch (error) {
    if (!(error instanceof TroupeError) || error.code !== 'not_found') throw error; // it ended by itself
  }
}
