import { memberSlug } from '#core/catalog/member-slug.js';
import { readEventLines, type SquadPlan } from '#core/squad/file-change.js';
import { memberIdOf, parseEvent, type RegistryEvent } from '#core/squad/registry.js';
import { charterFile, REGISTRY_EVENTS } from '#core/squad/squad-paths.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange } from '#kernel/file-change.js';
import { sha256 } from '#kernel/hash.js';
import { chosenName, type MemberChangeResult, settleTeam } from './member-change.js';
import { charterFor, stampOf } from './members.js';
import type { TeamRequest } from './roster-change.js';

/** Two or more members that were given the same name on different branches. */
export interface NameClash {
  readonly name: string;
  /** Events of each member, in file order: its first event and the events that follow it. */
  readonly members: readonly (readonly RegistryEvent[])[];
}

/**
 * Returns the names with more than one first event. An event belongs to the nearest preceding first event, because a
 * merge places the lines of one branch after those of the other.
 */
export function nameClashes(text: string | undefined): NameClash[] {
  const { events } = readEventLines(text, REGISTRY_EVENTS, 'eventId', parseEvent);
  const settled = new Set(events.flatMap((event) => event.settles ?? []));
  const chains = new Map<string, RegistryEvent[][]>();
  for (const event of events) {
    if (event.eventId !== undefined && settled.has(event.eventId)) continue;
    const key = event.name.toLowerCase();
    const members = chains.get(key) ?? [];
    chains.set(key, members);
    const last = members.at(-1);
    if (last === undefined || (event.rev === 1 && event.eventId !== undefined)) members.push([event]);
    else last.push(event);
  }
  return [...chains.values()]
    .filter((members) => members.length > 1)
    .map((members) => ({ name: members[0]?.[0]?.name ?? '', members }));
}

/** Returns the clash that contains a first event, and the event chain that starts with it. */
function clashOf(
  clashes: readonly NameClash[],
  eventId: string,
): { clash: NameClash; member: readonly RegistryEvent[] } | undefined {
  for (const clash of clashes) {
    const member = clash.members.find(([first]) => first?.eventId === eventId);
    if (member) return { clash, member };
  }
  return undefined;
}

/**
 * Renames one of two members that share a name. `eventId` is the first event of the member to rename. Its lines stay in
 * the file; the new event lists them in `settles`. Undefined if no clash contains the event. Errors:
 * `migration_required`, `name_invalid`.
 */
export function settleClash(
  request: TeamRequest,
  eventId: string,
  newName: string,
): SquadPlan<MemberChangeResult> | undefined {
  const { state } = request;
  const match = clashOf(nameClashes(state.texts.get(REGISTRY_EVENTS)), eventId);
  if (match === undefined) return undefined;
  const [foreign] = state.storage.foreign;
  if (foreign !== undefined) throw new TroupeError('migration_required', { details: { file: foreign } });
  const { clash, member } = match;
  const latest = [...member].sort((left, right) => (left.rev ?? 0) - (right.rev ?? 0)).at(-1);
  if (latest === undefined) return undefined;
  const fresh = chosenName(request, newName);
  const slug = memberSlug(fresh);
  const shared = charterFile(state.texts, memberSlug(clash.name));
  const present = state.texts.get(shared);
  const own = present !== undefined && sha256(present) === latest.charterSha256;
  const charter = charterFor(request, latest, fresh);
  const event: RegistryEvent = {
    ...latest,
    ...stampOf(request),
    rev: 1,
    memberId: memberIdOf(slug),
    name: fresh,
    persistentName: slug,
    charterPath: charterFile(state.texts, slug),
    charterSha256: sha256(charter),
    previousName: clash.name,
    settles: member.flatMap((line) => line.eventId ?? []),
  };
  const changes: FileChange[] = [{ kind: 'write', path: charterFile(state.texts, slug), text: charter }];
  // If the shared charter belongs to the renamed member, the charter of the other member is restored.
  const other = clash.members.find((line) => line !== member)?.at(-1);
  if (own && other && other.charterSha256 !== latest.charterSha256)
    changes.push({ kind: 'write', path: shared, text: charterFor(request, other, clash.name) });
  return settleTeam(request, {
    name: fresh,
    members: [{ event, changes }],
    intent: 'Recast',
    added: [fresh],
    previousName: clash.name,
  });
}
