import type { Archetype, Catalog } from '#core/catalog/catalog.js';
import { memberSlug } from '#core/catalog/member-slug.js';
import type { SquadTexts } from '#core/squad/file-change.js';
import type { ClientFiles } from '#core/squad/outputs.js';
import { memberIdOf, type RegistryEvent, type RegistryRecord } from '#core/squad/registry.js';
import { alumniCharterPath, charterFile, olderAlumniCharterPath } from '#core/squad/squad-paths.js';
import type { SquadState } from '#core/squad/squad-state.js';
import { timestamp } from '#kernel/clock.js';
import type { FileChange } from '#kernel/file-change.js';
import { sha256 } from '#kernel/hash.js';
import type { Templates } from './propose.js';

/** Member requested for the team. */
export interface RequestedMember {
  readonly name: string;
  readonly archetype: Archetype;
  readonly charter: string;
  /** Absent for built-in members, who belong to no universe. */
  readonly universe?: string;
}

export interface ChangeContext {
  /** RFC 3339. */
  readonly at: string;
  readonly by: string;
  freshId(): string;
  /** Returns the agent id for members of an archetype; undefined if the project has no managed agency. */
  readonly agentFor?: ((archetype: Archetype) => string) | undefined;
}

export interface MemberChange {
  /** Undefined if the member is unchanged. */
  readonly event: RegistryEvent | undefined;
  readonly changes: readonly FileChange[];
}

/** Adds a member to the team, or updates an existing one to the requested archetype. */
export function settleMember(
  requested: RequestedMember,
  existing: RegistryRecord | undefined,
  texts: SquadTexts,
  moment: ChangeContext,
): MemberChange {
  const slug = memberSlug(requested.name);
  const path = charterFile(texts, slug);
  const charterSha256 = sha256(requested.charter);
  const present = texts.get(path);
  // A built-in member imported with an existing charter keeps that charter.
  const foreign = requested.universe === undefined && existing === undefined && present !== undefined;
  const changes: FileChange[] =
    present === requested.charter || foreign ? [] : [{ kind: 'write', path, text: requested.charter }];
  const agentId = moment.agentFor?.(requested.archetype) ?? existing?.agentId;
  const same =
    existing?.status === 'Active' &&
    existing.archetypeId === requested.archetype.id &&
    existing.charterSha256 === charterSha256 &&
    existing.agentId === agentId;
  if (same) return { event: undefined, changes };
  const event: RegistryEvent = {
    eventId: moment.freshId(),
    rev: (existing?.rev ?? 0) + 1,
    at: moment.at,
    by: moment.by,
    memberId: existing?.memberId ?? memberIdOf(slug),
    name: existing?.name ?? requested.name,
    persistentName: slug,
    ...(requested.universe === undefined ? { builtIn: true } : { universe: existing?.universe ?? requested.universe }),
    archetypeId: requested.archetype.id,
    roleTitle: requested.archetype.title,
    ...(agentId === undefined ? {} : { agentId }),
    defaultModel: requested.archetype.default_model,
    status: 'Active',
    createdAt: existing?.createdAt ?? moment.at,
    charterPath: path,
    charterSha256,
    ...(existing?.previousName === undefined ? {} : { previousName: existing.previousName }),
    ...(existing?.x === undefined ? {} : { x: existing.x }),
  };
  return { event, changes };
}

/**
 * Retires a member: its name stays reserved, its charter moves to the alumni, and an older charter there is preserved.
 */
export function retireMember(member: RegistryRecord, texts: SquadTexts, moment: ChangeContext): MemberChange {
  const { slug, ...record } = member;
  const path = alumniCharterPath(slug);
  const place = charterFile(texts, slug);
  const charter = texts.get(place);
  const changes: FileChange[] = [];
  if (charter !== undefined) {
    const older = texts.get(path);
    if (older !== undefined) {
      let number = 1;
      while (texts.has(olderAlumniCharterPath(slug, number))) number++;
      changes.push({ kind: 'write', path: olderAlumniCharterPath(slug, number), text: older });
    }
    changes.push({ kind: 'write', path, text: charter }, { kind: 'remove', path: place });
  }
  const event: RegistryEvent = {
    ...record,
    eventId: moment.freshId(),
    rev: member.rev + 1,
    at: moment.at,
    by: moment.by,
    status: 'Retired',
    retiredAt: moment.at,
    charterPath: path,
  };
  return { event, changes };
}

/** Common input of every change of the team. */
export interface TeamRequest {
  readonly state: SquadState;
  readonly catalog: Catalog;
  /** Templates of the archetypes in the change. */
  readonly templates: Templates;
  /** Initial content of `.squad/rai/policy.md`. */
  readonly policyText: string;
  readonly project: string;
  readonly clientFiles: ClientFiles;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly by: string;
  freshId(): string;
  agentFor?: ChangeContext['agentFor'];
}

export function changeMoment(request: TeamRequest): ChangeContext {
  return { at: timestamp(request.now), by: request.by, freshId: request.freshId, agentFor: request.agentFor };
}
