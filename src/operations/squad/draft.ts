import { parseIntent } from '#core/casting/confirm.js';
import type { Picks, Proposal } from '#core/casting/proposal.js';
import { buildProposal, proposedUniverse, resolvePicks } from '#core/casting/propose.js';
import { archetypeRecords, type TrackRecords } from '#core/casting/track-record.js';
import type { Catalog } from '#core/catalog/catalog.js';
import type { Registry } from '#core/squad/registry.js';
import { peopleOf } from '#operations/agency/person.js';
import type { MachineContext, WorkContext } from '#operations/contexts.js';
import { loadAgency } from '#operations/load-agency.js';
import { projectOf } from '#operations/squad/team-plan.js';

/** Options common to all ways of casting. */
interface DraftWish {
  readonly universe?: string | undefined;
  readonly seed?: string | undefined;
  readonly intent?: string | undefined;
}

/** Chosen archetypes, and the method of the choice. */
interface Choice extends Picks {
  readonly mode: Proposal['mode'];
  readonly method: Proposal['method'];
  readonly rationale: string;
  readonly runId?: string | undefined;
}

export type Choose = (catalog: Catalog, records: TrackRecords) => Choice | Promise<Choice>;

/** Builds a proposal with names and charters, and stores it as the only open one. Nothing in `.squad` changes. */
export async function draft(context: WorkContext & MachineContext, wish: DraftWish, choose: Choose): Promise<Proposal> {
  const requestedAt = context.clock.now();
  const proposal = await buildDraftProposal(context, wish, choose);
  await (await context.squad()).saveProposal(proposal, requestedAt);
  return proposal;
}

/** Builds a proposal without storing it. */
export async function buildDraftProposal(
  context: WorkContext & MachineContext,
  wish: DraftWish,
  choose: Choose,
): Promise<Proposal> {
  const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
  const [catalog, before] = await Promise.all([source.load(), squad.read()]);
  const naming = {
    catalog,
    universe: wish.universe,
    intent: parseIntent(wish.intent),
    seed: wish.seed ?? projectOf(context, before.teamFile),
  };
  // Invalid naming options are rejected before a model is asked.
  proposedUniverse({ ...naming, state: before });
  const choice = await choose(catalog, await recordsOf(context, catalog, before.registry));
  const archetypes = resolvePicks(catalog, choice.picks);
  return buildProposal({
    ...choice,
    ...naming,
    // Choosing may take a minute: the state is read again to get the names that are free now.
    state: await squad.read(),
    templates: await source.charterTemplates(archetypes.map(({ id }) => id)),
    proposalId: context.freshId(),
    now: context.clock.now(),
  });
}

/** Returns the track records of archetypes in this project; empty if it has no agency. */
async function recordsOf(
  context: WorkContext & MachineContext,
  catalog: Catalog,
  registry: Registry,
): Promise<TrackRecords> {
  const agency = await loadAgency(context);
  return archetypeRecords(agency, catalog, registry, await peopleOf(context, agency));
}
