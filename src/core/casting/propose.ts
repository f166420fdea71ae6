import { compileCharter } from '#core/casting/charter.js';
import { allocateNames, describeNames, TakenNames } from '#core/casting/names.js';
import type { Picks, Warning } from '#core/casting/picks.js';
import type { Intent, Proposal, ProposedMember } from '#core/casting/proposal.js';
import { castMembers, everyName } from '#core/casting/registry.js';
import type { SquadState } from '#core/casting/squad-state.js';
import { teamUniverse } from '#core/casting/team.js';
import { chooseUniverse, DESCRIPTIVE, poolOf } from '#core/casting/universe.js';
import { type Catalog, castable } from '#core/catalog/catalog.js';
import type { Archetype } from '#core/catalog/entries.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { LIMITS } from '#kernel/limits.js';
import { cut, didYouMean, inert } from '#kernel/text.js';

/** Charter templates by archetype id; an archetype without one gets a charter made from its metadata. */
export type Templates = ReadonlyMap<string, string>;

export interface ProposalWish extends Picks {
  readonly mode: Proposal['mode'];
  readonly method: Proposal['method'];
  readonly rationale: string;
  readonly state: SquadState;
  readonly catalog: Catalog;
  readonly templates: Templates;
  readonly intent?: Intent | undefined;
  readonly universe?: string | undefined;
  readonly seed: string;
  readonly proposalId: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

type ChosenName = Pick<ProposedMember, 'proposed_name' | 'name_source'>;

/** Names and charters for a choice of archetypes. Decides nothing about the project and changes nothing. */
export function buildProposal(wish: ProposalWish): Proposal {
  const { state, catalog } = wish;
  const archetypes = resolveArchetypes(
    catalog,
    wish.picks.map((pick) => pick.archetypeId),
  );
  const stated = state.teamPresent ? wish.intent : undefined;
  const ofTeam = state.teamPresent ? teamUniverse(state.registry, state.history) : undefined;
  const { universe, withoutPool } = settleUniverse(wish, stated, ofTeam);
  const names = nameMembers(wish, archetypes, universe, stated === 'recast' && universe === ofTeam);
  const forAugment =
    state.teamPresent && stated === undefined && ofTeam !== undefined && ofTeam !== universe
      ? nameMembers(wish, archetypes, ofTeam, false)
      : undefined;
  const members = archetypes.map((archetype, index): ProposedMember => {
    const { proposed_name, name_source } = at(names, index);
    return {
      proposed_name,
      ...(state.teamPresent && stated === undefined
        ? { augment_name: at(forAugment ?? names, index).proposed_name }
        : {}),
      is_named: name_source !== 'overflow',
      bespoke: false,
      role: { id: archetype.id, title: archetype.title, summary: archetype.summary },
      name_source,
      charter_markdown: compileCharter(proposed_name, archetype, wish.templates.get(archetype.id)),
      default_model: archetype.default_model,
      justification: at(wish.picks, index).reason,
    };
  });
  return {
    proposal_id: wish.proposalId,
    mode: wish.mode,
    method: wish.method,
    universe,
    base: state.base,
    rationale: wish.rationale,
    created_at: timestamp(wish.now),
    expires_at: timestamp(wish.now + LIMITS.proposalMs),
    revision: 1,
    ...(wish.intent === undefined ? {} : { intent: wish.intent }),
    existing_team_present: state.teamPresent,
    members,
    warnings: [...wish.warnings, ...namingWarnings(universe, withoutPool, members)],
  };
}

/** The archetypes of a cast, in order, repeats allowed. All unknown ids (built-in ones too) are named in one error. */
export function resolveArchetypes(catalog: Catalog, ids: readonly string[]): Archetype[] {
  if (ids.length === 0 || ids.length > LIMITS.membersAtOnce) {
    throw new TroupeError('bad_input', { what: `A cast has 1 to ${LIMITS.membersAtOnce} members, not ${ids.length}.` });
  }
  const unknown = [...new Set(ids.filter((id) => castable(catalog, id) === undefined))];
  if (unknown.length > 0) {
    const meant = didYouMean(
      unknown[0] ?? '',
      catalog.menu.map((archetype) => archetype.id),
    );
    throw new TroupeError('unknown_archetype', {
      what: `The catalog has nothing to cast called ${unknown.map((id) => JSON.stringify(cut(inert(id), 60))).join(', ')}.`,
      ...(meant === undefined ? {} : { hint: `Did you mean ${meant}? \`troupe cast archetypes\` lists them all.` }),
      details: { unknown },
    });
  }
  return ids.flatMap((id) => castable(catalog, id) ?? []);
}

function settleUniverse(wish: ProposalWish, stated: Intent | undefined, ofTeam: string | undefined) {
  if (stated === 'augment' && ofTeam !== undefined) {
    if (wish.universe !== undefined && wish.universe.trim().toLowerCase() !== ofTeam.toLowerCase()) {
      throw new TroupeError('universe_fixed', {
        what: `The team is from ${inert(ofTeam)} and stays there when it grows.`,
      });
    }
    return { universe: ofTeam, withoutPool: [] };
  }
  if (stated === 'recast' && ofTeam !== undefined && wish.universe === undefined)
    return { universe: ofTeam, withoutPool: [] };
  return chooseUniverse({
    policy: wish.state.policy,
    pools: wish.catalog.universes,
    history: wish.state.history.usage,
    seed: wish.seed,
    override: wish.universe,
  });
}

/** A name for each archetype. With `keep`, members of a wanted archetype keep theirs, in team order. */
function nameMembers(
  wish: ProposalWish,
  archetypes: readonly Archetype[],
  universe: string,
  keep: boolean,
): ChosenName[] {
  const { state, catalog } = wish;
  const available = keep ? castMembers(state.registry) : [];
  const kept = archetypes.map((archetype) => {
    const index = available.findIndex((record) => record.archetypeId === archetype.id);
    return index < 0 ? undefined : available.splice(index, 1)[0]?.name;
  });
  const taken = new TakenNames([
    ...everyName(state.registry),
    ...state.teamFile.memberNames,
    ...catalog.builtins.map((builtin) => builtin.name),
  ]);
  const fresh = archetypes.filter((_archetype, index) => kept[index] === undefined);
  const given: ChosenName[] =
    universe === DESCRIPTIVE
      ? describeNames(
          fresh.map((archetype) => archetype.id),
          taken,
        ).map((name) => ({ proposed_name: name, name_source: 'descriptive' }))
      : allocateNames(poolOf(universe, catalog.universes)?.names ?? [], taken, fresh.length).map(
          ({ name, source }) => ({
            proposed_name: name,
            name_source: source,
          }),
        );
  let next = 0;
  return kept.map((name) => (name === undefined ? at(given, next++) : { proposed_name: name, name_source: 'kept' }));
}

function namingWarnings(
  universe: string,
  withoutPool: readonly string[],
  members: readonly ProposedMember[],
): Warning[] {
  const warnings: Warning[] = [];
  if (withoutPool.length > 0) {
    const list = withoutPool.map((name) => inert(name)).join(', ');
    warnings.push({ code: 'universe_without_pool', message: `Allowed, but without a pool of names: ${list}.` });
  }
  if (members.some((member) => !member.is_named)) {
    warnings.push({ code: 'pool_exhausted', message: `${inert(universe)} has no free name left for some members.` });
  }
  return warnings;
}

function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined)
    throw new TroupeError('internal', { what: 'Invariant broken: one name and one reason a member' });
  return item;
}
