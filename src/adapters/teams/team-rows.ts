import type { Columns } from '#adapters/teams-database/columns.js';
import { perform, type RowOf, type Statements } from '#adapters/teams-database/statement.js';
import { corrupt, known } from '#adapters/teams-database/words.js';
import { CAST_SLUG } from '#core/squad/team-rows.js';
import {
  MEMBER_STATUSES,
  POSITIONS,
  TEAM_STATUSES,
  type Team,
  type TeamMember,
  type TeamReference,
} from '#core/teams/team.js';
import { type NewTeamEvent, TEAM_EVENT_KINDS, type TeamEvent } from '#core/teams/team-events.js';
import { parseJsonObject } from '#kernel/json.js';
import {
  ADD_EVENT,
  EVENTS_AFTER,
  KEEP_MEMBER,
  KEEP_TEAM,
  LABELS,
  LATEST_EVENTS,
  MEMBERS,
  MEMBERS_OF_TEAMS,
  ON_ANOTHER_TEAM,
  REMOVE_MEMBERS,
  TEAM,
  TEAMS,
} from './team-statements.js';

export function* teamLabels(): Statements<readonly TeamReference[]> {
  return (yield* perform(LABELS, {})).map(labelOf);
}

export function* storedTeam(id: string): Statements<Team | undefined> {
  const [row] = yield* perform(TEAM, { id });
  return row && teamWith(row, yield* perform(MEMBERS, { team: id }));
}

/** Active teams first, by latest message, then by creation, newest first. */
export function* teamsListed(limit: number): Statements<readonly Team[]> {
  const members = new Map<string, Columns['members'][]>();
  for (const row of yield* perform(MEMBERS_OF_TEAMS, { limit }))
    members.set(row.team_id, [...(members.get(row.team_id) ?? []), row]);
  return (yield* perform(TEAMS, { limit })).map((row) => teamWith(row, members.get(row.id) ?? []));
}

/** Whether another team has a member with this id, which then stays there. */
export function* isOnAnotherTeam(id: string, team: string): Statements<boolean> {
  return (yield* perform(ON_ANOTHER_TEAM, { id, team })).length > 0;
}

/** Writes a team. First marks all members as removed: swapped names or leads would violate unique constraints. */
export function* writeTeam({ members, nameAuto, mesh, cast, ...team }: Team): Statements<void> {
  const values = { nameAuto: Number(nameAuto), mesh: Number(mesh), cast: cast ? CAST_SLUG : null };
  yield* perform(KEEP_TEAM, { ...team, ...values });
  yield* perform(REMOVE_MEMBERS, { team: team.id });
  for (const member of members) yield* perform(KEEP_MEMBER, { ...member, team: team.id });
}

/** Stores the author of each event in its payload. */
export function* writeEvents(events: readonly NewTeamEvent[]): Statements<void> {
  for (const { teamId: team, kind, payload, by, at } of events)
    yield* perform(ADD_EVENT, { team, kind, payload: JSON.stringify({ ...payload, by }), at });
}

export function* teamEvents(
  team: string,
  { after, limit }: { readonly after?: number; readonly limit: number },
): Statements<readonly TeamEvent[]> {
  if (after === undefined) return (yield* perform(LATEST_EVENTS, { team, limit })).toReversed().map(eventOf);
  return (yield* perform(EVENTS_AFTER, { team, after, limit })).map(eventOf);
}

function eventOf(row: RowOf<typeof LATEST_EVENTS>): TeamEvent {
  const values = parseJsonObject(row.payload_json);
  if (!values) throw corrupt('team_events', row.seq, 'payload_json', row.payload_json);
  const { by, ...payload } = values;
  const kind = known(TEAM_EVENT_KINDS, row.kind, 'team_events', row.seq, 'kind');
  return { seq: row.seq, teamId: row.team_id, kind, at: row.at, by: typeof by === 'string' ? by : null, payload };
}

function labelOf({ id, name, status, created_at: createdAt }: RowOf<typeof LABELS>): TeamReference {
  return { id, name, status: known(TEAM_STATUSES, status, 'teams', id, 'status'), createdAt };
}

function teamWith(row: Columns['teams'], members: readonly Columns['members'][]): Team {
  return {
    ...labelOf(row),
    nameAuto: row.name_auto === 1,
    description: row.description,
    mesh: row.mesh === 1,
    cast: row.cast_slug !== null,
    endedAt: row.ended_at,
    members: members.map(memberOf),
  };
}

function memberOf(row: Columns['members']): TeamMember {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    position: known(POSITIONS, row.position, 'members', row.id, 'position'),
    status: known(MEMBER_STATUSES, row.status, 'members', row.id, 'status'),
    agent: row.agent,
    person: row.person,
    joinedAt: row.joined_at,
    leftAt: row.left_at,
  };
}
