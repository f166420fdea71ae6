import type { Catalog } from '#core/catalog/catalog.js';
import { castMembers } from '#core/squad/registry.js';
import type { SquadState } from '#core/squad/squad-state.js';
import { poolOf } from '#core/squad/universe.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import { bespokeOf } from './bespoke.js';
import { type AllowedNames, checkChosenName, reservedNames } from './names.js';
import type { Pick, Proposal, ProposedMember, SettledName, Warning } from './proposal.js';
import {
  namingWarnings,
  proposedMembers,
  proposedUniverse,
  resolvePicks,
  type Templates,
  writtenOutside,
} from './propose.js';

/** Member as requested in an amendment. */
export interface AmendedMember {
  readonly archetype_id: string;
  readonly proposed_name?: string | undefined;
  /** Ignored: charters are always compiled from the catalog. */
  readonly charter_markdown?: string | undefined;
}

export interface AmendRequest {
  readonly proposal: Proposal;
  readonly state: SquadState;
  readonly catalog: Catalog;
  readonly templates: Templates;
  readonly universe?: string | undefined;
  /** All members in order; if absent, the members stay the same. */
  readonly members?: readonly AmendedMember[] | undefined;
  /** Revision the amendment is based on. */
  readonly revision?: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

const NAMING_WARNINGS = ['universe_without_pool', 'pool_exhausted', 'charter_ignored'];

/**
 * Returns the proposal with other members, names or another universe: charters are compiled again, expiry and revision
 * renewed. Errors: `proposal_changed`, `team_changed`, `universe_fixed`, `universe_invalid`, `unknown_archetype`,
 * `name_invalid` (lists every refused name), `bad_input`.
 */
export function amendProposal(request: AmendRequest): Proposal {
  const { proposal, state, catalog } = request;
  refuseStale(request);
  const proposed = request.universe === undefined ? undefined : proposedUniverse({ ...request, ...namingOf(request) });
  const universe = proposed?.universe ?? proposal.universe;
  const renamed = universe !== proposal.universe;
  const listed = request.members ?? proposal.members.map(listedAs);
  const { picks, faults } = picksOf(request, listed, universe, renamed);
  const archetypes = resolvePicks(catalog, picks);
  if (faults.length > 0) refuseNames(faults);
  const naming = { state, catalog, templates: request.templates, intent: proposal.intent, picks };
  const members = proposedMembers(naming, archetypes, universe);
  return {
    ...proposal,
    universe,
    members,
    ...writtenOutside(state, members),
    revision: proposal.revision + 1,
    expires_at: timestamp(request.now + TEAM_LIMITS.proposalMs),
    warnings: [
      ...proposal.warnings.filter((warning) => !NAMING_WARNINGS.includes(warning.code)),
      ...namingWarnings(universe, proposed?.withoutPool ?? [], members),
      ...ignoredCharters(listed),
    ],
  };
}

function refuseStale({ proposal, state, revision }: AmendRequest): void {
  if (revision !== undefined && revision !== proposal.revision) {
    throw new TroupeError('proposal_changed', {
      what: `The proposal is at revision ${proposal.revision}, not at ${revision}.`,
      details: { revision: proposal.revision },
    });
  }
  if (proposal.base !== state.base) throw new TroupeError('team_changed');
}

const namingOf = ({ proposal }: AmendRequest) => ({ intent: proposal.intent, seed: '' });

const listedAs = (member: ProposedMember): AmendedMember => ({
  archetype_id: member.role.id,
  proposed_name: member.proposed_name,
});

interface NameFault {
  readonly name: string;
  readonly why: string;
}

/**
 * Matches each line to a proposed member by name, then to the first unmatched one with the archetype; a line without a
 * match adds a member.
 */
function picksOf(
  request: AmendRequest,
  listed: readonly AmendedMember[],
  universe: string,
  renamed: boolean,
): { picks: Pick[]; faults: NameFault[] } {
  const unassigned = [...request.proposal.members];
  const takeOut = (test: (member: ProposedMember) => boolean) => {
    const index = unassigned.findIndex(test);
    return index < 0 ? undefined : unassigned.splice(index, 1)[0];
  };
  const isRole = (line: AmendedMember) => (member: ProposedMember) => member.role.id === line.archetype_id;
  // Lines with an unchanged name are matched first, which prevents a line without a name from taking another line's
  // member.
  const sameName = listed.map((line) => {
    const name = line.proposed_name?.trim().toLowerCase();
    if (name === undefined) return undefined;
    return takeOut((member) => isRole(line)(member) && member.proposed_name.toLowerCase() === name);
  });
  const settled = listed.map((line, index) => sameName[index] ?? takeOut(isRole(line)));
  const names = new NameAllocation(allowedNames(request, universe), request, renamed);
  const picks = listed.map((line, index): Pick => {
    const before = settled[index];
    const bespoke = before && bespokeOf(before);
    const name = names.give(line, before);
    return {
      archetypeId: line.archetype_id,
      reason: before?.justification ?? 'Added by you.',
      ...(bespoke === undefined ? {} : { bespoke }),
      ...(before?.held_by === undefined ? {} : { heldBy: before.held_by }),
      ...(name === undefined ? {} : { name }),
    };
  });
  return { picks, faults: names.faults };
}

/** Allocates names line by line and collects faults, which lets one error list all of them. */
class NameAllocation {
  readonly faults: NameFault[] = [];
  private readonly allowed: AllowedNames;
  private readonly request: AmendRequest;
  private readonly renamed: boolean;
  private readonly names = new Set<string>();

  constructor(allowed: AllowedNames, request: AmendRequest, renamed: boolean) {
    this.allowed = allowed;
    this.request = request;
    this.renamed = renamed;
  }

  /** Undefined if the next free name should be allocated. */
  give({ proposed_name: requested }: AmendedMember, before: ProposedMember | undefined): SettledName | undefined {
    const present = this.ofProposal(requested ?? before?.proposed_name);
    if (requested === undefined || present !== undefined) {
      if (present === undefined || this.renamed) return undefined;
      this.take(present.proposed_name);
      return {
        ...this.joining(present, before),
        proposed_name: present.proposed_name,
        name_source: present.name_source,
      };
    }
    const { name, source, why } = checkChosenName(requested, this.allowed);
    if (why !== undefined) {
      this.faults.push({ name: requested, why });
      return undefined;
    }
    this.take(name);
    // A kept member is on the team already, so augmenting uses the same name.
    const same = source === 'kept' || this.sharesNames;
    return { proposed_name: name, name_source: source, ...(same ? { augment_name: name } : {}) };
  }

  private take(name: string): void {
    if (this.names.has(name.toLowerCase())) this.faults.push({ name, why: 'appears twice' });
    this.names.add(name.toLowerCase());
  }

  private ofProposal(name: string | undefined): ProposedMember | undefined {
    const lowerCase = name?.trim().toLowerCase();
    return this.request.proposal.members.find((member) => member.proposed_name.toLowerCase() === lowerCase);
  }

  private joining(present: ProposedMember, before: ProposedMember | undefined): { augment_name?: string } {
    const name = before === undefined ? present.augment_name : (before.augment_name ?? present.augment_name);
    return name === undefined ? {} : { augment_name: name };
  }

  /** Whether names are the same for replacing and for augmenting the team. */
  private get sharesNames(): boolean {
    return this.request.proposal.members.every(
      (member) => member.augment_name === undefined || member.augment_name === member.proposed_name,
    );
  }
}

function allowedNames({ state, catalog, proposal }: AmendRequest, universe: string): AllowedNames {
  return {
    reserved: reservedNames(state, catalog),
    pool: poolOf(universe, catalog.universes)?.names ?? [],
    active: state.teamPresent && proposal.intent !== 'new' ? castMembers(state.registry).map(({ name }) => name) : [],
    universe,
  };
}

function refuseNames(faults: readonly NameFault[]): never {
  const reasons = faults.map(({ name, why }) => `${JSON.stringify(cut(inert(name), 60))} ${why}`);
  throw new TroupeError('name_invalid', {
    what: `These names cannot be used: ${cut(reasons.join('; '), 600)}.`,
    hint: 'Use free names of the universe, or leave the name out to get the next free one.',
    details: { names: faults },
  });
}

function ignoredCharters(listed: readonly AmendedMember[]): Warning[] {
  if (!listed.some((line) => line.charter_markdown !== undefined)) return [];
  const message = 'Submitted charters are ignored: they are compiled from the catalog. Edit them after you confirm.';
  return [{ code: 'charter_ignored', message }];
}

/** Changes of a proposal as entered on the command line: ids to add, names to drop, `OLD=NEW`. */
export interface CommandLineAmendment {
  readonly add?: readonly string[] | undefined;
  readonly drop?: readonly string[] | undefined;
  readonly name?: readonly string[] | undefined;
}

/** Returns all members after the entered changes. Errors: `not_found` for an unknown name, `bad_input`. */
export function membersAfter(
  proposal: Proposal,
  { add = [], drop = [], name = [] }: CommandLineAmendment,
): AmendedMember[] {
  const members = proposal.members.map((member) => ({
    archetype_id: member.role.id,
    before: member.proposed_name,
    proposed_name: member.proposed_name,
  }));
  const find = (called: string) => {
    const member = members.find(({ before }) => before.toLowerCase() === called.trim().toLowerCase());
    if (member !== undefined) return member;
    throw new TroupeError('not_found', {
      what: `No one in the proposal is called ${quoted(called)}.`,
      hint: `Members: ${inert(members.map(({ before }) => before).join(', '))}.`,
    });
  };
  for (const words of name) {
    const [, old = '', fresh] = /^([^=]+)=([^=]+)$/.exec(words) ?? [];
    if (fresh === undefined) throw new TroupeError('bad_input', { what: `${quoted(words)} is not OLD=NEW.` });
    find(old).proposed_name = fresh.trim();
  }
  for (const called of drop) members.splice(members.indexOf(find(called)), 1);
  return [
    ...members.map(({ archetype_id, proposed_name }) => ({ archetype_id, proposed_name })),
    ...add.map((archetype_id) => ({ archetype_id })),
  ];
}

const quoted = (text: string): string => JSON.stringify(cut(inert(text), 80));
