import { memberSlug } from '#core/catalog/member-slug.js';
import { TroupeError } from '#kernel/errors.js';
import type { FileChange, SquadPlan } from './file-change.js';
import { freeName, type MemberChanged, settleTeam } from './member-wish.js';
import { charterFor, stampOf } from './members.js';
import { clashOf, nameClashes } from './name-clash.js';
import { memberIdOf, type RegistryEvent } from './registry.js';
import { sha256 } from './roster-change.js';
import { charterFile, REGISTRY_EVENTS } from './squad-paths.js';
import type { TeamWish } from './team-wish.js';

/**
 * Gives one of two members that share a name a name of its own. `eventId` is the first event of the one to rename. Its
 * lines stay in the file; the new line says that it stands for them. Undefined when no clash has this event.
 * Errors: `migration_required`, `name_invalid`.
 */
export function settleClash(wish: TeamWish, eventId: string, wanted: string): SquadPlan<MemberChanged> | undefined {
  const { state } = wish;
  const found = clashOf(nameClashes(state.texts.get(REGISTRY_EVENTS)), eventId);
  if (found === undefined) return undefined;
  const [foreign] = state.storage.foreign;
  if (foreign !== undefined) throw new TroupeError('migration_required', { details: { file: foreign } });
  const { clash, member } = found;
  const latest = [...member].sort((left, right) => (left.rev ?? 0) - (right.rev ?? 0)).at(-1);
  if (latest === undefined) return undefined;
  const fresh = freeName(wish, wanted);
  const slug = memberSlug(fresh);
  const shared = charterFile(state.texts, memberSlug(clash.name));
  const present = state.texts.get(shared);
  const own = present !== undefined && sha256(present) === latest.charterSha256;
  const charter = charterFor(wish, latest, fresh);
  const event: RegistryEvent = {
    ...latest,
    ...stampOf(wish),
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
  // The charter in the shared place is that of the one who leaves it: the other one gets back its own.
  const other = clash.members.find((line) => line !== member)?.at(-1);
  if (own && other && other.charterSha256 !== latest.charterSha256)
    changes.push({ kind: 'write', path: shared, text: charterFor(wish, other, clash.name) });
  return settleTeam(wish, {
    name: fresh,
    members: [{ event, changes }],
    intent: 'Recast',
    added: [fresh],
    previousName: clash.name,
  });
}
