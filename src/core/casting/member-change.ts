import { createHash } from 'node:crypto';
import { memberSlug } from '#core/catalog/member-slug.js';
import type { SquadPlan } from '#core/squad/file-change.js';
import { type RegistryRecord, rebuildRegistry } from '#core/squad/registry.js';
import { REGISTRY_EVENTS } from '#core/squad/squad-paths.js';
import { refuseWrites, type SquadState } from '#core/squad/squad-state.js';
import { type CastMember, castLeader, castMember, inTeamOrder, teamUniverse } from '#core/squad/team.js';
import type { CastSnapshot } from '#core/squad/team-history.js';
import { DESCRIPTIVE } from '#core/squad/universe.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { appendLines } from '#kernel/file-change.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { cut, didYouMean, inert } from '#kernel/text.js';
import { reservedNames } from './names.js';
import type { MemberChange, TeamRequest } from './roster-change.js';
import { squadFileChanges } from './squad-changes.js';

export interface MemberChangeResult {
  readonly member: CastMember;
  /** False if the member already was as requested. */
  readonly changed: boolean;
  readonly leader: string;
  /** Name before a rename. */
  readonly previous_name?: string;
}

/** Returns the active or retired member with this name or slug. Errors: `no_team`, `not_found`. */
export function recordNamed(state: SquadState, name: string): RegistryRecord {
  const { records } = state.registry;
  if (records.length === 0) throw new TroupeError('no_team');
  const lowerCase = name.trim().toLowerCase();
  const record =
    records.find((one) => one.name.toLowerCase() === lowerCase) ?? records.find((one) => one.slug === lowerCase);
  if (record) return record;
  const suggestion = didYouMean(
    name,
    records.map((one) => one.name),
  );
  throw new TroupeError('not_found', {
    what: `There is no member ${JSON.stringify(cut(inert(name), 60))}.`,
    hint: suggestion === undefined ? 'Run `troupe team show`.' : `Did you mean ${inert(suggestion)}?`,
  });
}

/** Errors: `builtin_member`. */
export function refuseBuiltin(record: RegistryRecord): void {
  if (record.builtIn === true)
    throw new TroupeError('builtin_member', { what: `${inert(record.name)} is built-in and cannot be changed.` });
}

/**
 * Returns the active member with this name or slug, to edit it. Errors: those of `refuseWrites` and `recordNamed`,
 * `builtin_member`, `wrong_status`.
 */
export function editableRecord(state: SquadState, name: string): RegistryRecord {
  refuseWrites(state);
  const record = recordNamed(state, name);
  refuseBuiltin(record);
  refuseRetired(record);
  return record;
}

/** Errors: `wrong_status` for a retired member. */
function refuseRetired(record: RegistryRecord): void {
  if (record.status === 'Active') return;
  throw new TroupeError('wrong_status', {
    what: `${inert(record.name)} has retired from the team.`,
    hint: `Run \`troupe member edit ${record.slug} --restore\` first.`,
  });
}

/** Validates a name that a person chose and returns it trimmed. Errors: `name_invalid`. */
export function chosenName(request: Pick<TeamRequest, 'state' | 'catalog'>, requested: string): string {
  const name = requested.trim();
  memberSlug(name);
  const quoted = JSON.stringify(cut(inert(name), 60));
  if ([...name].length > TEAM_LIMITS.memberNameCharacters) {
    throw new TroupeError('name_invalid', {
      what: `${quoted} is longer than ${TEAM_LIMITS.memberNameCharacters} characters.`,
    });
  }
  if (reservedNames(request.state, request.catalog).has(name))
    throw new TroupeError('name_invalid', { what: `The name ${quoted} is taken.`, hint: 'Choose another name.' });
  return name;
}

interface MemberOutcome {
  /** Name of the member returned in the result. */
  readonly name: string;
  readonly members: readonly MemberChange[];
  readonly intent: 'Augment' | 'Recast';
  readonly added?: readonly string[];
  readonly retired?: readonly string[];
  /** Default: the present leader. */
  readonly leader?: string | undefined;
  readonly previousName?: string;
}

/** Plans all files for a change of individual members, with one snapshot of the resulting team. */
export function settleTeam(request: TeamRequest, outcome: MemberOutcome): SquadPlan<MemberChangeResult> {
  const { state } = request;
  const leader = outcome.leader ?? castLeader(state.registry, state.history);
  const events = outcome.members.flatMap((member) => member.event ?? []);
  const after = recordsAfter(state, events);
  const answer = (records: readonly RegistryRecord[]): MemberChangeResult => {
    const member = records.find((record) => record.name.toLowerCase() === outcome.name.toLowerCase());
    if (!member) throw new TroupeError('internal', { what: 'Invariant broken: a changed member is on record' });
    const previous = outcome.previousName === undefined ? {} : { previous_name: outcome.previousName };
    return { member: castMember(member), changed: events.length > 0, leader, ...previous };
  };
  if (events.length === 0) return { changes: [], result: answer(state.registry.records) };
  const snapshot: CastSnapshot = {
    snapshotId: createHash('sha256').update(`snapshot\0${request.freshId()}`, 'utf8').digest('hex').slice(0, 32),
    universe: teamUniverse(state.registry, state.history) ?? DESCRIPTIVE,
    mode: 'Manual',
    intent: outcome.intent,
    members: inTeamOrder(after.filter((record) => record.status === 'Active')).map((record) => record.name),
    addedMembers: [...(outcome.added ?? [])],
    retiredMembers: [...(outcome.retired ?? [])],
    leader,
    createdAt: timestamp(request.now),
    by: request.by,
  };
  const description = state.teamFile.context.get('Description') ?? '';
  const newcomers = outcome.added ?? [];
  const { changes, records } = squadFileChanges({
    ...request,
    description,
    snapshot,
    members: outcome.members,
    newcomers,
  });
  return { changes, result: answer(records) };
}

function recordsAfter(state: SquadState, events: readonly unknown[]): readonly RegistryRecord[] {
  const lines = [...state.unwritten.registry, ...events.map((event) => JSON.stringify(event))];
  return rebuildRegistry(appendLines(state.texts.get(REGISTRY_EVENTS), lines)).records;
}
