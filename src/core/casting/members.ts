import { memberSlug } from '#core/catalog/member-slug.js';
import { checkCharter, compileCharter } from '#core/squad/charter.js';
import type { SquadPlan } from '#core/squad/file-change.js';
import { castMembers, type RegistryEvent, type RegistryRecord } from '#core/squad/registry.js';
import { alumniCharterPath, charterFile, historyFile } from '#core/squad/squad-paths.js';
import { refuseWrites } from '#core/squad/squad-state.js';
import { castLeader, teamUniverse } from '#core/squad/team.js';
import { DESCRIPTIVE, poolOf } from '#core/squad/universe.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, inert } from '#kernel/text.js';
import {
  chosenName,
  editableRecord,
  type MemberChangeResult,
  recordNamed,
  refuseBuiltin,
  settleTeam,
} from './member-change.js';
import { allocateNames, describeNames, reservedNames } from './names.js';
import { resolveArchetype } from './propose.js';
import { changeMoment, retireMember, settleMember, type TeamRequest } from './roster-change.js';

/**
 * Adds a member with the next free name of the team's universe. Errors: `no_team`, `unknown_archetype`, those of
 * `refuseWrites` and of a charter.
 */
export function addCastMember(request: TeamRequest, archetypeId: string): SquadPlan<MemberChangeResult> {
  const { state, catalog } = request;
  refuseWrites(state);
  const archetype = resolveArchetype(catalog, archetypeId);
  const universe = teamUniverse(state.registry, state.history);
  if (universe === undefined || castMembers(state.registry).length === 0) throw new TroupeError('no_team');
  const reserved = reservedNames(state, catalog);
  const [name] =
    universe === DESCRIPTIVE
      ? describeNames([archetype.id], reserved)
      : allocateNames(poolOf(universe, catalog.universes)?.names ?? [], reserved, 1).map((one) => one.name);
  if (name === undefined) throw new TroupeError('internal', { what: 'Invariant broken: there is always a name' });
  const charter = compileCharter(name, archetype, request.templates.get(archetype.id));
  const member = settleMember({ name, archetype, charter, universe }, undefined, state.texts, changeMoment(request));
  return settleTeam(request, { name, members: [member], intent: 'Augment', added: [name] });
}

/**
 * Changes the role of a member, who keeps name and id. Errors: those of `addCastMember`, `not_found`, `builtin_member`,
 * `wrong_status`.
 */
export function reroleMember(request: TeamRequest, name: string, archetypeId: string): SquadPlan<MemberChangeResult> {
  const { state } = request;
  const record = editableRecord(state, name);
  const archetype = resolveArchetype(request.catalog, archetypeId);
  const charter = compileCharter(record.name, archetype, request.templates.get(archetype.id));
  const universe = record.universe ?? teamUniverse(state.registry, state.history) ?? DESCRIPTIVE;
  const requested = { name: record.name, archetype, charter, universe };
  const member = settleMember(requested, record, state.texts, changeMoment(request));
  return settleTeam(request, { name: record.name, members: [member], intent: 'Recast' });
}

/**
 * Retires a member; name, model and start date remain in the registry. No change if the member is already retired.
 * Errors: `no_team`, `not_found`, `builtin_member`, `leader_needed` when the leader retires and no successor was named,
 * those of `refuseWrites`.
 */
export function retireOne(request: TeamRequest, name: string, leader?: string): SquadPlan<MemberChangeResult> {
  const { state } = request;
  refuseWrites(state);
  const record = recordNamed(state, name);
  refuseBuiltin(record);
  const present = castLeader(state.registry, state.history);
  const next = leader === undefined ? undefined : recordNamed(state, leader);
  if (next && (next.status !== 'Active' || next.name === record.name)) {
    throw new TroupeError('leader_needed', { what: `${inert(next.name)} cannot lead: it will not be on the team.` });
  }
  if (record.status === 'Retired') return settleTeam(request, { name: record.name, members: [], intent: 'Recast' });
  if (present === record.name && next === undefined) {
    throw new TroupeError('leader_needed', { what: `${inert(record.name)} leads the team.` });
  }
  const member = retireMember(record, state.texts, changeMoment(request));
  return settleTeam(request, {
    name: record.name,
    members: [member],
    intent: 'Recast',
    retired: [record.name],
    leader: next?.name,
  });
}

/**
 * Restores a retired member with its former id and charter. Errors: `no_team`, `not_found`, those of `refuseWrites`,
 * `wrong_status` after a rename.
 */
export function restoreMember(request: TeamRequest, name: string): SquadPlan<MemberChangeResult> {
  const { state } = request;
  refuseWrites(state);
  const record = recordNamed(state, name);
  if (record.succeededBy !== undefined) {
    throw new TroupeError('wrong_status', {
      what: `${inert(record.name)} is called ${inert(record.succeededBy)} now.`,
      hint: 'Run `troupe team show`.',
    });
  }
  if (record.status === 'Active') return settleTeam(request, { name: record.name, members: [], intent: 'Augment' });
  const { slug, retiredAt: _gone, ...facts } = record;
  const stored = state.texts.get(alumniCharterPath(slug));
  const charter = stored ?? charterFor(request, record, record.name);
  const path = charterFile(state.texts, slug);
  const changes: FileChange[] = [{ kind: 'write', path, text: charter }];
  if (stored !== undefined) changes.push({ kind: 'remove', path: alumniCharterPath(slug) });
  const event: RegistryEvent = {
    ...facts,
    ...stampOf(request),
    rev: record.rev + 1,
    status: 'Active',
    charterPath: path,
    ...(stored === undefined ? { charterSha256: sha256(charter) } : {}),
  };
  return settleTeam(request, {
    name: record.name,
    members: [{ event, changes }],
    intent: 'Augment',
    added: [record.name],
  });
}

/**
 * Renames a member, who keeps role and id; the old name stays reserved. Errors: those of `reroleMember`,
 * `name_invalid`.
 */
export function renameMember(request: TeamRequest, name: string, newName: string): SquadPlan<MemberChangeResult> {
  const { state } = request;
  const record = editableRecord(state, name);
  const fresh = chosenName(request, newName);
  const slug = memberSlug(fresh);
  const charter = renamedCharter(request, record, fresh);
  const retirement = retireMember(record, state.texts, changeMoment(request));
  const { slug: _slug, ...facts } = record;
  const event: RegistryEvent = {
    ...facts,
    ...stampOf(request),
    rev: 1,
    name: fresh,
    persistentName: slug,
    previousName: record.name,
    charterPath: charterFile(state.texts, slug),
    charterSha256: sha256(charter),
  };
  const changes: FileChange[] = [{ kind: 'write', path: charterFile(state.texts, slug), text: charter }];
  const diary = state.texts.get(historyFile(state.texts, record.slug));
  if (diary !== undefined) {
    changes.push(
      { kind: 'write', path: historyFile(state.texts, slug), text: diary },
      { kind: 'remove', path: historyFile(state.texts, record.slug) },
    );
  }
  const retiredEvent = retirement.event && { ...retirement.event, succeededBy: fresh };
  const leads = castLeader(state.registry, state.history) === record.name;
  return settleTeam(request, {
    name: fresh,
    members: [
      { event: retiredEvent, changes: retirement.changes },
      { event, changes },
    ],
    intent: 'Recast',
    leader: leads ? fresh : undefined,
    previousName: record.name,
  });
}

export function stampOf(request: TeamRequest): { eventId: string; at: string; by: string } {
  const { at, by, freshId } = changeMoment(request);
  return { eventId: freshId(), at, by };
}

/**
 * Returns the charter under the new name: compiled again, or, if it was edited by hand, unchanged except for the
 * headline.
 */
function renamedCharter(request: TeamRequest, record: RegistryRecord, fresh: string): string {
  const present = request.state.texts.get(charterFile(request.state.texts, record.slug));
  if (present === undefined || sha256(present) === record.charterSha256) return charterFor(request, record, fresh);
  const headline = `# ${record.name} — `;
  return present.startsWith(headline) ? `# ${fresh} — ${present.slice(headline.length)}` : present;
}

/** Compiles a charter from the catalog. An unknown role gets a stub with the title from the registry. */
export function charterFor(
  request: Pick<TeamRequest, 'catalog' | 'templates'>,
  role: Pick<RegistryEvent, 'archetypeId' | 'roleTitle'>,
  name: string,
): string {
  const archetype = request.catalog.archetypes.get(role.archetypeId ?? '');
  if (archetype) return compileCharter(name, archetype, request.templates.get(archetype.id));
  const title = cut(inert(role.roleTitle ?? 'Member'), 100);
  return `# ${name} — ${title}\n\nThe catalog does not know this role. Write down here what ${name} owns and what it must not do.\n`;
}

/**
 * Replaces a charter with a person's text. The event keeps the hash of the compiled text, so the charter counts as
 * edited by hand and a change of role does not discard it. Errors: `not_found`, `builtin_member`, `wrong_status`,
 * `bad_input`, `charter_emoji`, `charter_hidden_text`, those of `refuseWrites`.
 */
export function editCharter(request: TeamRequest, name: string, charter: string): SquadPlan<MemberChangeResult> {
  const record = editableRecord(request.state, name);
  const length = [...charter].length;
  if (charter.trim() === '' || length > TEAM_LIMITS.charterCharacters) {
    throw new TroupeError('bad_input', {
      what: `A charter must have 1 to ${TEAM_LIMITS.charterCharacters} characters, not ${charter.trim() === '' ? 0 : length}.`,
      details: { field: 'charter' },
    });
  }
  checkCharter(charter, record.name);
  const path = charterFile(request.state.texts, record.slug);
  const same = request.state.texts.get(path) === charter;
  const { slug: _slug, ...facts } = record;
  const event = same ? undefined : { ...facts, ...stampOf(request), rev: record.rev + 1 };
  const member = { event, changes: same ? [] : [{ kind: 'write' as const, path, text: charter }] };
  return settleTeam(request, { name: record.name, members: [member], intent: 'Recast' });
}
