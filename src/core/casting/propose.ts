/**
 * Casting: from signals and goal words to archetypes, universe, names and charters; adding, changing and retiring
 * members; a blueprint from a description.
 * @packageDocumentation
 */

import type { Archetype } from '#core/catalog/catalog.js';
import { type Catalog, castable } from '#core/catalog/catalog.js';
import { folderSlug } from '#core/catalog/member-slug.js';
import { compileCharter } from '#core/squad/charter.js';
import { ALWAYS_OUTSIDE, clientPaths, configuredOutputs, outputsToEnable } from '#core/squad/outputs.js';
import { castMembers } from '#core/squad/registry.js';
import type { SquadState } from '#core/squad/squad-state.js';
import { teamUniverse } from '#core/squad/team.js';
import { chooseUniverse, DESCRIPTIVE, poolOf } from '#core/squad/universe.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, didYouMean, inert } from '#kernel/text.js';
import { bespokeCharter } from './bespoke.js';
import { allocateNames, describeNames, reservedNames } from './names.js';
import type { Intent, Pick, Picks, Proposal, ProposedMember, SettledName, Warning } from './proposal.js';

/** Charter templates by archetype id; without a template, the charter is generated from the archetype's metadata. */
export type Templates = ReadonlyMap<string, string>;

export interface ProposalRequest extends Picks {
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
  readonly runId?: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Builds a proposal with names and charters for the chosen archetypes. Changes nothing. */
export function buildProposal(request: ProposalRequest): Proposal {
  const { state } = request;
  const archetypes = resolvePicks(request.catalog, request.picks);
  const { universe, withoutPool } = proposedUniverse(request);
  // Explicitly named archetypes are taken as requested; any other choice describes the need, which present members may
  // already cover.
  const picks = request.mode === 'manual' ? request.picks : withHolders(request.picks, archetypes, state);
  const members = proposedMembers({ ...request, picks }, archetypes, universe);
  return {
    proposal_id: request.proposalId,
    mode: request.mode,
    method: request.method,
    universe,
    base: state.base,
    ...(request.runId === undefined ? {} : { run_id: request.runId }),
    rationale: request.rationale,
    created_at: timestamp(request.now),
    expires_at: timestamp(request.now + TEAM_LIMITS.proposalMs),
    revision: 1,
    ...(request.intent === undefined ? {} : { intent: request.intent }),
    existing_team_present: state.teamPresent,
    members,
    ...writtenOutside(state, members),
    warnings: [
      ...request.warnings,
      ...namingWarnings(universe, withoutPool, members),
      ...noNewMemberWarnings(members, request.intent),
    ],
  };
}

/** Returns the picks, each with the present member who already fills it; a member fills at most one pick. */
function withHolders(picks: readonly Pick[], archetypes: readonly Archetype[], { registry }: SquadState): Pick[] {
  const available = [...castMembers(registry)];
  return picks.map((pick, index) => {
    const position = available.findIndex((record) => record.archetypeId === archetypes[index]?.id);
    const holder = position < 0 ? undefined : available.splice(position, 1)[0];
    return holder === undefined ? pick : { ...pick, heldBy: holder.name };
  });
}

function noNewMemberWarnings(members: readonly ProposedMember[], intent: Intent | undefined): Warning[] {
  const held = members.flatMap(({ held_by, role }) =>
    held_by === undefined ? [] : [`${inert(held_by)} (${inert(role.title)})`],
  );
  if (intent === 'new' || held.length < members.length) return [];
  return [{ code: 'nobody_missing', message: `No one is missing: the team has ${held.join(', ')}.` }];
}

/**
 * Returns the files outside `.squad/` that confirming these members may write: those every cast needs, and those that
 * clients read.
 */
export function writtenOutside(
  { texts, registry }: SquadState,
  members: readonly ProposedMember[],
): globalThis.Pick<Proposal, 'outside' | 'client_files'> {
  const names = [...castMembers(registry).map(({ name }) => name), ...members.map((member) => member.proposed_name)];
  const slugs = [...new Set(names.flatMap((name) => folderSlug(name) ?? []))];
  const configured = clientPaths(slugs, configuredOutputs(texts));
  const more = clientPaths(slugs, outputsToEnable(texts)).filter((path) => !configured.includes(path));
  return { outside: [...ALWAYS_OUTSIDE, ...configured], client_files: more };
}

/** Chooses the universe for the names. Errors: `universe_fixed`, and those of `chooseUniverse`. */
export function proposedUniverse(request: UniverseInput): { universe: string; withoutPool: readonly string[] } {
  const stated = request.state.teamPresent ? request.intent : undefined;
  return settleUniverse(request, stated, presentUniverse(request.state));
}

type UniverseInput = globalThis.Pick<ProposalRequest, 'state' | 'catalog' | 'intent' | 'universe' | 'seed'>;

/** Returns members with names and charters for resolved archetypes. */
export function proposedMembers(
  request: Omit<NamingRequest, 'archetypes'>,
  archetypes: readonly Archetype[],
  universe: string,
): ProposedMember[] {
  const { state } = request;
  const stated = state.teamPresent ? request.intent : undefined;
  const ofTeam = presentUniverse(state);
  const choice: NamingRequest = { ...request, archetypes };
  // Augmenting a team keeps its members under their present names.
  const growing: NamingRequest = {
    ...choice,
    picks: choice.picks.map((pick) => {
      const { heldBy } = pick;
      if (heldBy === undefined) return pick;
      return { ...pick, name: { proposed_name: heldBy, augment_name: heldBy, name_source: 'kept' } };
    }),
  };
  const keep = stated === 'recast' && universe === ofTeam;
  const names = nameMembers(stated === 'augment' ? growing : choice, universe, keep, (name) => name);
  const undecided = state.teamPresent && stated === undefined;
  const someHeld = choice.picks.some((pick) => pick.heldBy !== undefined);
  const forAugment =
    undecided && ofTeam !== undefined && (ofTeam !== universe || someHeld)
      ? nameMembers(growing, ofTeam, false, ({ augment_name, name_source }) =>
          augment_name === undefined ? undefined : { proposed_name: augment_name, name_source },
        )
      : names;
  return archetypes.map((archetype, index): ProposedMember => {
    const { proposed_name, name_source } = itemAt(names, index);
    const { bespoke, reason, heldBy } = itemAt(request.picks, index);
    return {
      proposed_name,
      ...(undecided ? { augment_name: itemAt(forAugment, index).proposed_name } : {}),
      ...(heldBy === undefined ? {} : { held_by: heldBy }),
      is_named: name_source !== 'overflow',
      bespoke: bespoke !== undefined,
      role: { id: archetype.id, title: archetype.title, summary: archetype.summary },
      name_source,
      charter_markdown: bespoke
        ? bespokeCharter(proposed_name, bespoke)
        : compileCharter(proposed_name, archetype, request.templates.get(archetype.id)),
      default_model: archetype.default_model,
      justification: reason,
    };
  });
}

interface NamingRequest
  extends globalThis.Pick<ProposalRequest, 'state' | 'catalog' | 'templates' | 'intent' | 'picks'> {
  readonly archetypes: readonly Archetype[];
}

function presentUniverse(state: SquadState): string | undefined {
  return state.teamPresent ? teamUniverse(state.registry, state.history) : undefined;
}

/**
 * Returns the archetypes of picks; repeats are allowed, and bespoke picks contain their own. One error lists all unknown
 * ids, including those of built-in archetypes.
 */
export function resolvePicks(
  catalog: Catalog,
  picks: readonly globalThis.Pick<Pick, 'archetypeId' | 'bespoke'>[],
): Archetype[] {
  if (picks.length === 0 || picks.length > TEAM_LIMITS.membersAtOnce) refuseCount(picks.length);
  const ofCatalog = picks.flatMap((pick) => (pick.bespoke === undefined ? [pick.archetypeId] : []));
  const unknown = [...new Set(ofCatalog.filter((id) => castable(catalog, id) === undefined))];
  if (unknown.length > 0) refuseUnknown(catalog, unknown);
  return picks.flatMap((pick) => pick.bespoke?.archetype ?? castable(catalog, pick.archetypeId) ?? []);
}

/** Returns the archetype of the menu with this id. Errors: `unknown_archetype`. */
export function resolveArchetype(catalog: Catalog, id: string): Archetype {
  return castable(catalog, id) ?? refuseUnknown(catalog, [id]);
}

function refuseUnknown(catalog: Catalog, unknown: readonly string[]): never {
  const suggestion = didYouMean(
    unknown[0] ?? '',
    catalog.menu.map((archetype) => archetype.id),
  );
  throw new TroupeError('unknown_archetype', {
    what: `The catalog has no archetype ${unknown.map((id) => JSON.stringify(cut(inert(id), 60))).join(', ')}.`,
    ...(suggestion === undefined
      ? {}
      : { hint: `Did you mean ${suggestion}? \`troupe catalog show archetypes\` lists them all.` }),
    details: { unknown },
  });
}

function refuseCount(count: number): never {
  throw new TroupeError('bad_input', {
    what: `A cast must have 1 to ${TEAM_LIMITS.membersAtOnce} members, not ${count}.`,
  });
}

function settleUniverse(request: UniverseInput, stated: Intent | undefined, ofTeam: string | undefined) {
  if (stated === 'augment' && ofTeam !== undefined) {
    if (request.universe !== undefined && request.universe.trim().toLowerCase() !== ofTeam.toLowerCase()) {
      throw new TroupeError('universe_fixed', {
        what: `The team is from ${inert(ofTeam)} and keeps that universe.`,
      });
    }
    return { universe: ofTeam, withoutPool: [] };
  }
  if (stated === 'recast' && ofTeam !== undefined && request.universe === undefined)
    return { universe: ofTeam, withoutPool: [] };
  return chooseUniverse({
    policy: request.state.policy,
    pools: request.catalog.universes,
    history: request.state.history.usage,
    seed: request.seed,
    override: request.universe,
  });
}

/**
 * Assigns a name to each archetype: settled names first; with `keep`, then names of present members with that
 * archetype, in team order; then free names. `settled` maps a settled name to its form in this universe.
 */
function nameMembers(
  { state, catalog, archetypes, picks }: NamingRequest,
  universe: string,
  keep: boolean,
  settled: (name: SettledName) => SettledName | undefined,
): SettledName[] {
  const fixed = picks.map((pick) => (pick.name === undefined ? undefined : settled(pick.name)));
  const assigned = new Set(fixed.map((name) => name?.proposed_name.toLowerCase()));
  const available = keep
    ? castMembers(state.registry).filter((record) => !assigned.has(record.name.toLowerCase()))
    : [];
  const retained = archetypes.map((archetype, index): SettledName | undefined => {
    const name = fixed[index];
    if (name !== undefined) return name;
    const position = available.findIndex((record) => record.archetypeId === archetype.id);
    const record = position < 0 ? undefined : available.splice(position, 1)[0];
    return record && { proposed_name: record.name, name_source: 'kept' };
  });
  const reserved = reservedNames(state, catalog);
  for (const name of retained) if (name !== undefined) reserved.take(name.proposed_name);
  const without = archetypes.filter((_archetype, index) => retained[index] === undefined);
  const fresh: SettledName[] =
    universe === DESCRIPTIVE
      ? describeNames(
          without.map((archetype) => archetype.id),
          reserved,
        ).map((name) => ({ proposed_name: name, name_source: 'descriptive' }))
      : allocateNames(poolOf(universe, catalog.universes)?.names ?? [], reserved, without.length).map(
          ({ name, source }) => ({ proposed_name: name, name_source: source }),
        );
  let next = 0;
  return retained.map((name) => name ?? itemAt(fresh, next++));
}

export function namingWarnings(
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

function itemAt<Item>(items: readonly Item[], index: number): Item {
  const item = items[index];
  if (item === undefined)
    throw new TroupeError('internal', { what: 'Invariant broken: one name and one reason a member' });
  return item;
}
