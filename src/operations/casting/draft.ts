import { parseIntent } from '#core/casting/confirm.js';
import type { Picks, Proposal } from '#core/casting/proposal.js';
import { buildProposal, proposedUniverse, resolvePicks } from '#core/casting/propose.js';
import { archetypeRecords, type TrackRecords } from '#core/casting/track-record.js';
import type { Catalog } from '#core/catalog/catalog.js';
import type { Registry } from '#core/squad/registry.js';
import { peopleOf } from '#operations/agency/person.js';
import { loadAgency } from '#operations/load-agency.js';
import type { Context } from '#operations/operation.js';
import { projectOf } from '#operations/squad/team-plan.js';

/** What is said with every way of choosing. */
interface DraftWish {
  readonly universe?: string | undefined;
  readonly seed?: string | undefined;
  readonly intent?: string | undefined;
}

/** Who was chosen, and how. */
interface Choice extends Picks {
  readonly mode: Proposal['mode'];
  readonly method: Proposal['method'];
  readonly rationale: string;
  readonly runId?: string | undefined;
}

export type Choose = (catalog: Catalog, records: TrackRecords) => Choice | Promise<Choice>;

/** What every way of choosing ends in: names and charters, kept as the one open proposal. Nothing in `.squad` changes. */
export async function draft(context: Context, wish: DraftWish, choose: Choose): Promise<Proposal> {
  const requestedAt = context.clock.now();
  const proposal = await drawUp(context, wish, choose);
  await (await context.squad()).saveProposal(proposal, requestedAt);
  return proposal;
}

/** The same, kept nowhere. */
export async function drawUp(context: Context, wish: DraftWish, choose: Choose): Promise<Proposal> {
  const [source, squad] = await Promise.all([context.catalog(), context.squad()]);
  const [catalog, before] = await Promise.all([source.load(), squad.read()]);
  const naming = {
    catalog,
    universe: wish.universe,
    intent: parseIntent(wish.intent),
    seed: wish.seed ?? projectOf(context, before.teamFile),
  };
  // What cannot be named is refused before anybody is asked to choose.
  proposedUniverse({ ...naming, state: before });
  const choice = await choose(catalog, await recordsOf(context, catalog, before.registry));
  const archetypes = resolvePicks(catalog, choice.picks);
  return buildProposal({
    ...choice,
    ...naming,
    // Choosing may have taken a minute: the names are those that are free now.
    state: await squad.read(),
    templates: await source.charterTemplates(archetypes.map(({ id }) => id)),
    proposalId: context.freshId(),
    now: context.clock.now(),
  });
}

/** How archetypes did here. A project may be without an agency, and then nothing is known of any. */
async function recordsOf(context: Context, catalog: Catalog, registry: Registry): Promise<TrackRecords> {
  const agency = await loadAgency(context);
  return archetypeRecords(agency, catalog, registry, await peopleOf(context, agency));
}
