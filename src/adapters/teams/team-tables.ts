/**
 * The team that was cast, as rows of `teams.db`.
 * @packageDocumentation
 */

import type { Database, Row } from '#adapters/teams-database/database.js';
import { corrupt } from '#adapters/teams-database/database.js';
import type { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import type { TeamChange } from '#core/team/team-change.js';
import { type MemberRow, type TeamRow, type TeamRows, teamRowsOf } from '#core/team/team-rows.js';
import type { Clock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { TeamFollower, TeamNews } from '#ports/squad-files.js';

const MEMBER = 'id, team_id, name, slug, position, status, agent, joined_at, left_at';
const STATUSES = ['active', 'paused', 'removed'] as const;
const POSITIONS = ['leader', 'member', 'observer'] as const;

/** A member as it stands in the table: somebody may have told it to pause, which the events of the team know nothing of. */
export type StoredMember = Omit<MemberRow, 'status'> & { readonly status: (typeof STATUSES)[number] };

/** The team that was cast, as rows of `teams.db`. Follows the events of the team; a lost one is made again by the next write. */
export class TeamTables implements TeamFollower {
  readonly name = 'teams.db';
  private readonly database: TeamsDatabase;
  private readonly clock: Clock;

  constructor(database: TeamsDatabase, clock: Clock) {
    this.database = database;
    this.clock = clock;
  }

  /** A database that cannot be opened is found out before anything is written. */
  async prepare(): Promise<number> {
    return (await this.where(() => 0)) ?? 0;
  }

  async follow({ project, registry, history }: TeamChange): Promise<TeamNews> {
    const rows = teamRowsOf(project, registry, history);
    if (rows) await this.where((database) => database.transaction(() => storeTeam(database, rows, this.clock.now())));
    return { tasks: [] };
  }

  /** Where there is no SQLite nobody can read the rows either: a team is no worse without them. */
  private async where<Result>(work: (database: Database) => Result): Promise<Result | undefined> {
    try {
      return await this.database.use(work);
    } catch (error) {
      if (error instanceof TroupeError && error.code === 'sqlite_missing') return undefined;
      throw error;
    }
  }

  /** What stands there of the team that was cast, the members by name; undefined where nothing does. */
  read(castSlug: string): Promise<{ team: TeamRow; members: readonly StoredMember[] } | undefined> {
    return this.database.use((database) => {
      const [row] = database.all('SELECT id, name, cast_slug, created_at FROM teams WHERE cast_slug = ?', castSlug);
      if (!row) return undefined;
      const id = String(row['id']);
      const members = database.all(`SELECT ${MEMBER} FROM members WHERE team_id = ? ORDER BY lower(name), id`, id);
      const team = { id, name: String(row['name']), castSlug, createdAt: Number(row['created_at']) };
      return { team, members: members.map(memberOf) };
    });
  }
}

/** Everybody is taken off first: whoever swaps names or the lead would be in the way of the other. */
function storeTeam(database: Database, { team, members }: TeamRows, now: number): void {
  const paused = new Set(
    database.all("SELECT id FROM members WHERE team_id = ? AND status = 'paused'", team.id).map(({ id }) => String(id)),
  );
  database.run(
    "INSERT INTO teams (id, name, status, cast_slug, created_at) VALUES (?, ?, 'active', ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, created_at = excluded.created_at",
    ...[team.id, team.name, team.castSlug, team.createdAt],
  );
  database.run("UPDATE members SET status = 'removed' WHERE team_id = ?", team.id);
  for (const member of members) {
    const { id, name, slug, position, agent, joinedAt, leftAt } = member;
    const status = member.status === 'active' && paused.has(id) ? 'paused' : member.status;
    database.run(
      `INSERT INTO members (${MEMBER}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET name = excluded.name, slug = excluded.slug, position = excluded.position, status = excluded.status, agent = excluded.agent, joined_at = excluded.joined_at, left_at = excluded.left_at WHERE team_id = excluded.team_id`,
      ...[id, team.id, name, slug, position, status, agent, joinedAt, leftAt],
    );
  }
  // Whom the events do not know any more, as after a return to an older commit, stays for what was said and done.
  database.run(
    "UPDATE members SET left_at = ? WHERE team_id = ? AND status = 'removed' AND left_at IS NULL",
    ...[now, team.id],
  );
}

function memberOf(row: Row): StoredMember {
  const status = STATUSES.find((candidate) => candidate === row['status']);
  if (status === undefined) throw corrupt('members', row['id'], 'status', row['status']);
  const position = POSITIONS.find((candidate) => candidate === row['position']);
  if (position === undefined) throw corrupt('members', row['id'], 'position', row['position']);
  const { agent, left_at: leftAt } = row;
  return {
    ...{ id: String(row['id']), name: String(row['name']), slug: String(row['slug']), position, status },
    agent: typeof agent === 'string' ? agent : null,
    joinedAt: Number(row['joined_at']),
    leftAt: leftAt === null ? null : Number(leftAt),
  };
}
