import { isTradeoffDraft } from '#core/agency/starters.js';
import { Bridge } from '#core/team/bridge.js';
import type { SquadPlan } from '#core/team/file-change.js';
import type { Context } from '#operations/operation.js';
import { withAgencyLock } from './open.js';

/**
 * Changes the team while the agency stays as it is, so that what members are made of is written with them, by the one who
 * writes the team.
 */
export async function withBridge<Result>(context: Context, work: (bridge: Bridge) => Promise<Result>): Promise<Result> {
  const { entities } = await (await context.agency()).shipped();
  const drafts = entities.flatMap(({ kind, value }) => (kind === 'tradeoff' && isTradeoffDraft(value) ? [value] : []));
  const by = context.caller.kind === 'run' ? context.caller.name : 'human';
  const maker = { now: context.clock.now(), by };
  return await withAgencyLock(context, (agency) => work(new Bridge(agency, drafts, maker)));
}

/** A change of the team, with the files of the agents that are new by it. One that changes nothing makes nobody. */
export function bridged<Result>(bridge: Bridge, { changes, result }: SquadPlan<Result>): SquadPlan<Result> {
  return { changes: changes.length === 0 ? [] : [...bridge.changes, ...changes], result };
}
