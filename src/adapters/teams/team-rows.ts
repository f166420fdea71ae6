import { corrupt, type Database, type Row } from '#adapters/teams-database/database.js';
import { CAST_SLUG } from '#core/squad/team-rows.js';
import {
  MEMBER_STATUSES,
  POSITIONS,
  TEAM_STATUSES,
  type Team,
  type TeamLabel,
  type TeamMember,
} from '#core/teams/team.js';
import { type NewTeamEvent, TEAM_EVENT_KINDS, type TeamEvent } from '#core/teams/team-events.js';
import { parseJsonObject } from '#kernel/json.js';
import { closedWord, numberOrNull, textOrNull } from './columns.js';

const TEAM = 'id, name, name_auto, description, status, mesh, cast_slug, created_at, ended_at';
const MEMBER = 'id, team_id, name, slug, position, status, agent, person, joined_at, left_at';

export function labelsIn(database: Database): TeamLabel[] {
  return database.all('SELECT id, name, status, created_at FROM teams ORDER BY created_at, id').map(labelOf);
}

export function teamIn(database: Database, id: string): Team | undefined {
  const [row] = database.all(`SELECT ${TEAM} FROM teams WHERE id = ?`, id);
  return row && teamOf(row, membersIn(database, 'team_id = ?', id));
}

/** Those at work first, among them those that spoke last, then those that began last. */
export function teamsIn(database: Database, limit: number): Team[] {
  const spoke = "SELECT created_at FROM messages WHERE conversation_id = 'team:' || teams.id ORDER BY seq DESC LIMIT 1";
  const order = `FROM teams ORDER BY status <> 'active', (${spoke}) DESC NULLS LAST, created_at DESC, id LIMIT ?`;
  const members = new Map<string, Row[]>();
  for (const row of membersIn(database, `team_id IN (SELECT id ${order})`, limit)) {
    const team = String(row['team_id']);
    members.set(team, [...(members.get(team) ?? []), row]);
  }
  return database.all(`SELECT ${TEAM} ${order}`, limit).map((row) => teamOf(row, members.get(String(row['id'])) ?? []));
}

function membersIn(database: Database, where: string, ...values: (string | number)[]): Row[] {
  return database.all(`SELECT ${MEMBER} FROM members WHERE ${where} ORDER BY joined_at, lower(name), id`, ...values);
}

/** Everybody is taken off first: whoever swaps names or the lead would be in the way of the other. */
export function writeTeam(database: Database, team: Team): void {
  const { id, name, nameAuto, description, status, mesh, cast, createdAt, endedAt } = team;
  database.run(
    `INSERT INTO teams (${TEAM}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_auto = excluded.name_auto, description = excluded.description, status = excluded.status, mesh = excluded.mesh, created_at = excluded.created_at, ended_at = excluded.ended_at`,
    ...[id, name, Number(nameAuto), description, status, Number(mesh), cast ? CAST_SLUG : null, createdAt, endedAt],
  );
  database.run("UPDATE members SET status = 'removed' WHERE team_id = ?", id);
  for (const member of team.members) {
    database.run(
      `INSERT INTO members (${MEMBER}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, slug = excluded.slug, position = excluded.position, status = excluded.status, agent = excluded.agent, person = excluded.person, joined_at = excluded.joined_at, left_at = excluded.left_at`,
      ...[member.id, id, member.name, member.slug, member.position, member.status],
      ...[member.agent, member.person, member.joinedAt, member.leftAt],
    );
  }
}

/** With whose change it was beside what it says. */
export function writeEvents(database: Database, events: readonly NewTeamEvent[]): void {
  for (const { teamId, kind, payload, by, at } of events) {
    const sql = 'INSERT INTO events (team_id, kind, payload_json, at) VALUES (?, ?, ?, ?)';
    database.run(sql, teamId, kind, JSON.stringify({ ...payload, by }), at);
  }
}

export function teamEventsIn(
  database: Database,
  teamId: string,
  options: { after?: number; limit: number },
): TeamEvent[] {
  const { after, limit } = options;
  const rows = (where: string, order: string, ...values: (string | number)[]) =>
    database.all(
      `SELECT seq, team_id, kind, payload_json, at FROM events WHERE team_id = ? ${where} ORDER BY seq ${order} LIMIT ?`,
      ...[teamId, ...values, limit],
    );
  return (after === undefined ? rows('', 'DESC').reverse() : rows('AND seq > ?', 'ASC', after)).map(eventOf);
}

function eventOf(row: Row): TeamEvent {
  const values = parseJsonObject(String(row['payload_json']));
  if (!values) throw corrupt('events', row['seq'], 'payload_json', row['payload_json']);
  const { by, ...payload } = values;
  return {
    ...{
      seq: Number(row['seq']),
      teamId: String(row['team_id']),
      kind: closedWord(TEAM_EVENT_KINDS, 'events', row, 'kind'),
    },
    ...{ at: Number(row['at']), by: typeof by === 'string' ? by : null, payload },
  };
}

function labelOf(row: Row): TeamLabel {
  const status = closedWord(TEAM_STATUSES, 'teams', row, 'status');
  return { id: String(row['id']), name: String(row['name']), status, createdAt: Number(row['created_at']) };
}

function teamOf(row: Row, members: readonly Row[]): Team {
  return {
    ...labelOf(row),
    nameAuto: row['name_auto'] === 1,
    description: String(row['description']),
    mesh: row['mesh'] === 1,
    cast: row['cast_slug'] !== null,
    endedAt: numberOrNull(row['ended_at']),
    members: members.map(memberOf),
  };
}

function memberOf(row: Row): TeamMember {
  return {
    ...{ id: String(row['id']), name: String(row['name']), slug: String(row['slug']) },
    position: closedWord(POSITIONS, 'members', row, 'position'),
    status: closedWord(MEMBER_STATUSES, 'members', row, 'status'),
    ...{ agent: textOrNull(row['agent']), person: textOrNull(row['person']) },
    ...{ joinedAt: Number(row['joined_at']), leftAt: numberOrNull(row['left_at']) },
  };
}
