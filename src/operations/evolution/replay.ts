import type { Agency } from '#core/agency/agency.js';
import type { Role, Tradeoff } from '#core/agency/entities.js';
import { blocksOf, judgementIn, scoreOf } from '#core/agency/evaluation-judge.js';
import type { Evolution } from '#core/evolution/evolve.js';
import { type HeldOutTask, heldOut, verdictOf } from '#core/evolution/replay.js';
import type { ReplayPair, ReplayRecord } from '#core/evolution/replay-record.js';
import { taskOf } from '#core/graph/task-of.js';
import { LIMITS } from '#kernel/limits.js';
import { identityBlocks, requestBlocks } from '#operations/agency/judgement.js';
import { graphIfAny } from '#operations/agency/open.js';
import { ask } from '#operations/models/ask.js';
import type { Context } from '#operations/operation.js';

/** By role and trade-off: what a change of it would be tried on. */
export type HeldOut = ReadonlyMap<string, readonly HeldOutTask[]>;

/** Kept back before anybody is shown anything; nothing where no replay is asked for, or there is no graph. */
export async function heldOutOf(
  context: Context,
  agency: Agency,
  wish: { readonly seed: string; readonly count: number; readonly people: ReadonlySet<string> },
): Promise<HeldOut> {
  const view = wish.count === 0 ? undefined : await (await graphIfAny(context))?.view();
  if (!view) return new Map();
  const entities = [...agency.adopted('role'), ...agency.adopted('tradeoff')];
  return new Map(entities.map((entity) => [entity.id, heldOut(agency, view, entity, wish)]));
}

/**
 * Has each changed entity, and the one it comes from, do the tasks held out for that one, and compares the scores: the same
 * task and partner, the same judge, who does not know whose work it is. Nothing of it is merged or on anybody's record.
 */
export async function replayed(
  context: Context,
  evolution: Evolution,
  before: Agency,
  held: HeldOut,
): Promise<{ readonly records: readonly ReplayRecord[]; readonly costs: readonly number[] }> {
  const records: ReplayRecord[] = [];
  const costs: number[] = [];
  for (const { status, made, target_ids } of evolution.outcomes) {
    const [first] = made;
    const [parentId = ''] = target_ids;
    if (status !== 'applied' || first === undefined || first.kind === 'agent') continue;
    const child = evolution.agency.entity(first.kind, first.id);
    // A parent that was made by the same answer has done nothing it could be compared with.
    const parent = before.entity(first.kind, parentId) ?? evolution.agency.entity(first.kind, parentId);
    if (!isPart(child) || !isPart(parent)) continue;
    records.push(await compared(context, costs, before, parent, child, held.get(parent.id) ?? []));
  }
  return { records, costs };
}

const isPart = (one: object | undefined): one is Role | Tradeoff =>
  one !== undefined && 'kind' in one && (one.kind === 'role' || one.kind === 'tradeoff');

async function compared(
  context: Context,
  costs: number[],
  agency: Agency,
  parent: Role | Tradeoff,
  child: Role | Tradeoff,
  tasks: readonly HeldOutTask[],
): Promise<ReplayRecord> {
  const pairs: ReplayPair[] = [];
  const unusable: { task_id: string; reason: string }[] = [];
  for (const { task_id, partner_id } of tasks) {
    const before = await scoreAs(context, costs, task_id, identityOf(agency, parent, partner_id));
    const after =
      typeof before === 'string'
        ? before
        : await scoreAs(context, costs, task_id, identityOf(agency, child, partner_id));
    if (typeof before === 'number' && typeof after === 'number') pairs.push({ task_id, parent: before, child: after });
    else unusable.push({ task_id, reason: String(after) });
  }
  const { kind, id, name } = child;
  return {
    ...{ kind, id, name, parent_id: parent.id, held_out: tasks.length, pairs, unusable },
    ...verdictOf(pairs, `${parent.id} ${id}`),
  };
}

function identityOf(agency: Agency, one: Role | Tradeoff, partnerId: string) {
  return one.kind === 'role'
    ? { role: one, tradeoff: agency.tradeoff(partnerId) }
    : { role: agency.role(partnerId), tradeoff: one };
}

/** The score of a task done by whoever this is; or why there is none. */
async function scoreAs(
  context: Context,
  costs: number[],
  id: string,
  identity: ReturnType<typeof identityOf>,
): Promise<number | string> {
  const view = await (await graphIfAny(context))?.view();
  const task = view === undefined ? undefined : taskOf(view, id);
  if (!task) return 'It is not in the graph any more.';
  const request = requestBlocks(task);
  const work = await ask(context, {
    ...{ purpose: 'replay', name: 'replay', task: id },
    blocks: blocksOf([...identityBlocks('you are', identity), ...request]),
    take: (text) => (text.trim() === '' || Buffer.byteLength(text) > LIMITS.evaluationArtifactBytes ? undefined : text),
  });
  if (work.costUsd !== undefined) costs.push(work.costUsd);
  if (work.failure) return work.failure.reason;
  const judged = await ask(context, {
    ...{ purpose: 'evaluator', name: 'evaluate', task: id, tries: LIMITS.evaluationTries },
    blocks: blocksOf([...request, ['artifact 1', work.answer]]),
    take: judgementIn,
  });
  if (judged.costUsd !== undefined) costs.push(judged.costUsd);
  return judged.failure ? judged.failure.reason : scoreOf(judged.answer.dimensions);
}
