import type { Agency } from '#core/agency/agency.js';
import type { Role, Tradeoff } from '#core/agency/entities.js';
import { blocksOf, scoreOf } from '#core/agency/evaluation-judge.js';
import type { Evolution } from '#core/agency/evolve.js';
import { EVOLVE_TEST } from '#core/agency/progress.js';
import { type HeldOutTask, heldOut, verdictOf } from '#core/agency/replay.js';
import type { ReplayedTask, ReplayedWork, ReplayPair, ReplayRecord, ReplaySide } from '#core/agency/replay-record.js';
import { trialBasis, trialOrder } from '#core/agency/trial.js';
import type { TrialIdentity } from '#core/agency/trial-identity.js';
import type { Task } from '#core/graph/task.js';
import { TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { assignedTo } from '#operations/agency/assignee.js';
import { identityBlocks, requestBlocks } from '#operations/agency/judgement.js';
import type { FilesContext, MachineContext, ModelContext, WorkContext } from '#operations/contexts.js';
import type { CoordinatorFacts } from '#operations/coordinator-facts.js';
import { graphIfAny } from '#operations/graph-if-any.js';
import type { Context } from '#operations/operation.js';
import { ask } from '#operations/settings/ask.js';
import { boundedWork, judgementOf, tryTask, type WorkOrReason } from './trial.js';

/** Tasks on which a change would be tested, by role or trade-off id. */
export type HeldOut = ReadonlyMap<string, readonly HeldOutTask[]>;

/** Selects the held-out tasks before the proposer sees any data; empty without a replay or a graph. */
export async function heldOutOf(
  context: Pick<Context, 'graph'>,
  agency: Agency,
  wish: { readonly seed: string; readonly count: number; readonly people: ReadonlySet<string> },
): Promise<HeldOut> {
  const view = wish.count === 0 ? undefined : await (await graphIfAny(context))?.view();
  if (!view) return new Map();
  const entities = [...agency.all('role'), ...agency.all('tradeoff')];
  return new Map(entities.map((entity) => [entity.id, heldOut(agency, view, entity, wish)]));
}

/** Results of a replay, the work produced, and its costs. */
export interface Replayed {
  readonly records: readonly ReplayRecord[];
  readonly works: readonly ReplayedTask[];
  readonly costs: readonly number[];
}

/** Result if there was nothing to replay. */
export const NOT_REPLAYED: Replayed = { records: [], works: [], costs: [] };

/**
 * Has each changed entity and its parent redo the held-out tasks, and compares the scores: same task, partner and base
 * commit, and the same judge, blind to the origin. Nothing is merged or added to any record.
 */
export async function replayed(
  context: Context,
  evolution: Evolution,
  before: Agency,
  held: HeldOut,
): Promise<Replayed> {
  const records: ReplayRecord[] = [];
  const works: ReplayedTask[] = [];
  const costs: number[] = [];
  const changes = changesOf(evolution, before);
  const of = changes.reduce((sum, { parent }) => sum + (held.get(parent.id)?.length ?? 0), 0);
  let number = 0;
  for (const change of changes) {
    const begin = (task: string) => logTestStart(context, { number: ++number, of, task, name: change.child.name });
    const tasks = held.get(change.parent.id) ?? [];
    records.push(await compared({ context, costs, works, agency: before, begin, ...change }, tasks));
  }
  return { records, works, costs };
}

/** Changed entities with their parents. */
function changesOf({ agency, outcomes }: Evolution, before: Agency) {
  return outcomes.flatMap(({ status, made, target_ids }) => {
    const [first] = made;
    const [parentId = ''] = target_ids;
    if (status !== 'applied' || first === undefined || first.kind === 'agent') return [];
    const child = agency.entity(first.kind, first.id);
    // A parent from the same answer has no history to compare with.
    const parent = before.entity(first.kind, parentId) ?? agency.entity(first.kind, parentId);
    return isPart(child) && isPart(parent) ? [{ parent, child }] : [];
  });
}

/** Logs which test begins, for progress display. */
async function logTestStart(context: Pick<Context, 'caller' | 'graph'>, detail: JsonObject): Promise<void> {
  const event = { op: EVOLVE_TEST, actor: context.caller.name, detail, patch: [] };
  await (await graphIfAny(context))?.commit(() => ({ events: [event], result: undefined }));
}

const isPart = (one: object | undefined): one is Role | Tradeoff =>
  one !== undefined && 'kind' in one && (one.kind === 'role' || one.kind === 'tradeoff');

/** A compared pair, with collectors for its results. */
interface Comparison {
  readonly context: Context;
  readonly costs: number[];
  readonly works: ReplayedTask[];
  readonly agency: Agency;
  readonly parent: Role | Tradeoff;
  readonly child: Role | Tradeoff;
  /** Called before each task. */
  readonly begin: (task: string) => Promise<void>;
}

async function compared(comparison: Comparison, tasks: readonly HeldOutTask[]): Promise<ReplayRecord> {
  const { parent, child, works, begin } = comparison;
  const pairs: ReplayPair[] = [];
  const unusable: { task_id: string; reason: string }[] = [];
  for (const heldOutTask of tasks) {
    const { task_id } = heldOutTask;
    await begin(task_id);
    const outcome = await replayBothSides(comparison, heldOutTask);
    if ('reason' in outcome) unusable.push({ task_id, reason: outcome.reason });
    else {
      const { why, ...work } = outcome;
      pairs.push({ task_id, parent: work.parent.score, child: work.child.score, kind: work.kind, why });
      works.push(work);
    }
  }
  const { kind, id, name } = child;
  return {
    kind,
    id,
    name,
    parent_id: parent.id,
    held_out: tasks.length,
    pairs,
    unusable,
    ...verdictOf(pairs, `${parent.id} ${id}`),
  };
}

type Outcome = (ReplayedTask & { readonly why: string }) | { readonly reason: string };

/** Both sides redo one task, in a hidden order; if the first produces nothing, the second is not run. */
async function replayBothSides(comparison: Comparison, { task_id, partner_id }: HeldOutTask): Promise<Outcome> {
  const { context, agency, parent, child, costs } = comparison;
  const view = await (await graphIfAny(context))?.view();
  const task = view?.task(task_id);
  if (task === undefined) return { reason: 'It is no longer in the graph.' };
  const basis = await basisOf(context, task);
  const order = trialOrder(`${parent.id} ${child.id}`, task_id);
  const done = new Map<ReplaySide, ReplayedWork>();
  for (const side of order) {
    const identity = identityOf(agency, side === 'parent' ? parent : child, partner_id);
    const outcome = await doneBy(context, { task, basis, identity }, costs);
    if ('reason' in outcome) return outcome;
    done.set(side, outcome.work);
  }
  const [ofParent, ofChild] = [done.get('parent'), done.get('child')];
  if (!ofParent || !ofChild) return { reason: 'Only one of the two was scored.' };
  const textOnly = 'textOnly' in basis;
  return {
    task_id,
    entity_id: child.id,
    parent_id: parent.id,
    first: order[0],
    parent: ofParent,
    child: ofChild,
    kind: textOnly ? 'text' : 'worktree',
    base: textOnly ? null : basis.base,
    why: textOnly ? basis.textOnly : '',
  };
}

interface Doing {
  readonly task: Task;
  readonly basis: Basis;
  readonly identity: TrialIdentity;
}

/** An error of one side becomes the reason why the task does not count; other tasks continue. */
async function doneBy(context: Context, { task, basis, identity }: Doing, costs: number[]): Promise<WorkOrReason> {
  try {
    if ('textOnly' in basis) return await inText(context, task, identity, costs);
    const { base, coordinator } = basis;
    return await tryTask(context, coordinator, { task, base, identity }, costs);
  } catch (error) {
    if (error instanceof TroupeError) return { reason: error.message };
    throw error;
  }
}

type Basis = { readonly textOnly: string } | { readonly base: string; readonly coordinator: CoordinatorFacts };

/** Basis for attempts of a client; an obstacle is reported with the scores. */
async function basisOf(context: WorkContext & FilesContext, task: Task): Promise<Basis> {
  const basis = trialBasis(task, (await assignedTo(context, task)) !== undefined);
  if ('textOnly' in basis) return basis;
  const coordinator = context.coordinator?.();
  if (coordinator === undefined) return { textOnly: 'No service is running to start an attempt.' };
  const { missing, executor } = coordinator;
  if (executor === undefined || executor === 'shell')
    return { textOnly: `No client can be started${missing === undefined ? '.' : `: ${missing}`}` };
  const words = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${basis.base}^{commit}`];
  const commit = await (await context.git()).tryOutput(context.projectFolder, words);
  return commit === undefined
    ? { textOnly: 'Its base commit is no longer in the repository.' }
    : { ...basis, coordinator };
}

function identityOf(agency: Agency, one: Role | Tradeoff, partnerId: string): TrialIdentity {
  return one.kind === 'role'
    ? { role: one, tradeoff: agency.tradeoff(partnerId) }
    : { role: agency.role(partnerId), tradeoff: one };
}

/** A model answers in text, without tools or files. */
async function inText(
  context: WorkContext & ModelContext & MachineContext,
  task: Task,
  identity: TrialIdentity,
  costs: number[],
): Promise<WorkOrReason> {
  const answer = await ask(context, {
    purpose: 'replay',
    name: 'replay',
    task: task.id,
    blocks: blocksOf([...identityBlocks('you are', identity), ...requestBlocks(task)]),
    take: (text) =>
      text.trim() === '' || Buffer.byteLength(text) > TEAM_LIMITS.evaluationArtifactBytes ? undefined : text,
  });
  if (answer.costUsd !== undefined) costs.push(answer.costUsd);
  if (answer.failure) return { reason: answer.failure.reason };
  const judgement = await judgementOf(context, task, [['artifact 1', answer.answer]], costs);
  if (typeof judgement === 'string') return { reason: judgement };
  const { dimensions, notes } = judgement;
  return { work: { score: scoreOf(dimensions), dimensions, notes, work: boundedWork(answer.answer), attempt: null } };
}
