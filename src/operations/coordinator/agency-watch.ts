import { capacityOf } from '#core/agency/match.js';
import { type AgencyFacts, NO_AGENCY } from '#core/coordinator/agency.js';
import { LIMITS } from '#kernel/limits.js';
import { loadAgency } from '#operations/agency/open.js';
import { isPerson } from '#operations/agency/person.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import { committed, type HostOf } from './host.js';
import { Judge } from './judge.js';

/** Tasks of ours about others, and what follows for those. */
export function agencyHost(known: () => Promise<AgencyFacts>): HostOf<'agency'> {
  return {
    facts: async () => ({ agency: await known() }),
    carryOut: { 'add-task': committed, 'edit-task': committed },
  };
}

/** What ticks are told of the agency: read again when its files change, the settings every few seconds. */
export function watchedAgency(context: Context): () => Promise<AgencyFacts> {
  let read: { readonly stamp: string; readonly at: number; readonly facts: AgencyFacts } | undefined;
  const judge = new Judge(context);
  return async () => {
    const stamp = await (await context.agency()).stamp();
    const now = context.clock.now();
    if (read && read.stamp === stamp && Math.abs(now - read.at) < LIMITS.clientLookMs) return read.facts;
    read = { stamp, at: now, facts: await factsOf(context, judge) };
    return read.facts;
  };
}

async function factsOf(context: Context, judge: Judge): Promise<AgencyFacts> {
  const all = (await loadSettings(context)).settings;
  const { agency: settings } = all;
  const working = (await loadAgency(context)).working();
  const { flip_verification_threshold: verifyBelow } = settings;
  if (working.length === 0 && !settings.auto_evaluate && verifyBelow === undefined) return NO_AGENCY;
  const agents = await Promise.all(
    working.map(async (agent) => {
      const human = await isPerson(context, agent.executor);
      const { executor, preferred_provider: provider } = agent;
      return [agent.id, { human, capacity: capacityOf(agent), executor, provider }] as const;
    }),
  );
  const threshold = settings.eval_gate_threshold;
  return {
    autoAssign: settings.auto_assign,
    autoEvaluate: settings.auto_evaluate,
    ...(settings.auto_evaluate ? await judge.look(all) : { unjudged: undefined, judgeIsNew: false }),
    agents: new Map(agents),
    gate: threshold === undefined ? undefined : { threshold, all: settings.eval_gate_all },
    verifyBelow,
  };
}
