import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { CastFollower } from '#adapters/teams/cast-follower.js';
import { TeamTables } from '#adapters/teams/team-tables.js';
import { TeamsDatabase } from '#adapters/teams-database/teams-database.js';
import { memberIdOf, type RegistryEvent, rebuildRegistry } from '#core/squad/registry.js';
import { rebuildHistory } from '#core/squad/team-history.js';
import { CAST_SLUG } from '#core/squad/team-rows.js';
import { createTeam } from '#core/teams/changes.js';
import type { ErrorCode } from '#kernel/error-codes.js';
import { TroupeError } from '#kernel/errors.js';
import { FREE_TURN } from '../../free-turn.js';
import { plain } from '../../plain-statements.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../data/teams');
const CAST = memberIdOf(CAST_SLUG);
const START = '2026-07-01T10:00:00.000Z';

function tables() {
  const folder = path.join(room(), '.workgraph');
  mkdirSync(folder);
  const clock = { now: () => 5_000 };
  const database = new TeamsDatabase({
    turn: FREE_TURN,
    copies: path.join(folder, 'copies'),
    folder,
    migrations: MIGRATIONS,
    clock,
  });
  onTestFinished(() => database.close());
  return { database, tables: new CastFollower(database, clock), teams: new TeamTables(database) };
}

const member = (name: string, rev: number, fields: Partial<RegistryEvent> = {}): RegistryEvent => ({
  ...{ eventId: `${name}-${rev}`, rev, at: START, name, universe: 'The Matrix', status: 'Active', createdAt: START },
  ...fields,
});

/** The change after which the events are these. */
function change(leader: string, ...events: readonly RegistryEvent[]) {
  const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join('');
  const snapshot = { snapshotId: 's1', universe: 'The Matrix', members: [], leader, createdAt: START };
  const registry = rebuildRegistry(lines(events));
  return { project: 'zion', registry, history: rebuildHistory(lines([snapshot])), snapshot, left: [] };
}

verifies(
  'bridge.same-step',
  'told twice, the rows are those of once; whoever swaps lead and names is in nobody’s way',
  async () => {
    const { tables: kept, teams } = tables();
    const first = change('Neo', member('Neo', 1), member('Trinity', 1));
    await kept.follow(first);
    const before = await teams.getTeam(CAST);
    await kept.follow(first);
    expect(await teams.getTeam(CAST)).toEqual(before);
    const told = async () => (await teams.events(CAST, { limit: 9 })).map(({ kind, by }) => [kind, by]);
    expect(await told()).toEqual([
      ['team-created', null],
      ['member-joined', null],
      ['member-joined', null],
    ]);
    const [neo, trinity] = [memberIdOf('neo'), memberIdOf('trinity')];
    const swapped = change(
      'Neo',
      member('Neo', 2, { memberId: trinity }),
      member('Trinity', 2, { memberId: neo, agentId: 'a'.repeat(64) }),
    );
    await kept.follow(swapped);
    const rows = (await teams.getTeam(CAST))?.members.map(({ id, name, position }) => [id, name, position]);
    expect(rows).toEqual([
      [trinity, 'Neo', 'leader'],
      [neo, 'Trinity', 'member'],
    ]);
    expect((await told()).slice(3)).toEqual([
      ['member-changed', null],
      ['member-changed', null],
    ]);
  },
);

verifies(
  'bridge.same-step',
  'a pause outlives a change of the team; whom the events no longer know has left',
  async () => {
    const { database, tables: kept, teams } = tables();
    await kept.follow(change('Neo', member('Neo', 1), member('Trinity', 1)));
    await database.write(() => plain("UPDATE members SET status = 'paused' WHERE slug = 'trinity'"));
    await kept.follow(change('Neo', member('Neo', 2), member('Trinity', 2)));
    const statuses = async () =>
      (await teams.getTeam(CAST))?.members.map(({ name, status, leftAt }) => [name, status, leftAt]);
    expect(await statuses()).toEqual([
      ['Neo', 'active', null],
      ['Trinity', 'paused', null],
    ]);
    // The project went back to an older commit.
    await kept.follow(change('Neo', member('Neo', 1)));
    expect(await statuses()).toEqual([
      ['Neo', 'active', null],
      ['Trinity', 'removed', 5_000],
    ]);
  },
);

verifies('bridge.same-step', 'a team of somebody who took the name of the project is in nobody’s way', async () => {
  const { tables: kept, teams } = tables();
  const wish = { id: 't', leaderId: 'l', name: 'Zion', leader: 'Ripley', description: '', mesh: false };
  await teams.change((view) => createTeam(view, { ...wish, reserved: 'project' }, { by: 'ann', at: 1 }));
  await kept.follow(change('Neo', member('Neo', 1)));
  expect(await teams.getTeam(CAST)).toMatchObject({ name: 'zion 2', cast: true });
});

/** A database that never opens, for the reason that is given. */
class Closed extends TeamsDatabase {
  private readonly code: ErrorCode;

  constructor(code: ErrorCode) {
    const folder = room();
    super({ turn: FREE_TURN, copies: folder, folder, migrations: MIGRATIONS, clock: { now: () => 0 } });
    this.code = code;
  }

  override open(): Promise<never> {
    return Promise.reject(new TroupeError(this.code));
  }

  override write(): Promise<never> {
    return this.open();
  }
}

verifies(
  'bridge.same-step',
  'without SQLite a team has no rows; a database that is damaged is told beforehand',
  async () => {
    const news = change('Neo', member('Neo', 1));
    const without = new CastFollower(new Closed('sqlite_missing'), { now: () => 0 });
    expect([await without.prepare(), await without.follow(news)]).toEqual([undefined, undefined]);
    const damaged = new CastFollower(new Closed('data_corrupt'), { now: () => 0 });
    await expect(damaged.prepare()).rejects.toMatchObject({ code: 'data_corrupt' });
    await expect(damaged.follow(news)).rejects.toMatchObject({ code: 'data_corrupt' });
  },
);

verifies('team.db.params', 'names that look like statements come back as they are', async () => {
  const { tables: kept, teams } = tables();
  const name = "x'); DROP TABLE members; --";
  await kept.follow(change('Neo', member('Neo', 1), member('Eve', 1, { agentId: name })));
  expect((await teams.getTeam(CAST))?.members[0]).toMatchObject({ name: 'Eve', agent: name });
});

verifies(
  'team.db.no-poison',
  'a row of somebody else’s team with the same id stays theirs, and nothing breaks',
  async () => {
    const { database, tables: kept } = tables();
    await kept.follow(change('Neo', member('Neo', 1)));
    await database.write(function* () {
      yield* plain("INSERT INTO teams (id, name, status, created_at) VALUES ('other', 'Other', 'active', 1)");
      yield* plain(
        "INSERT INTO members (id, team_id, name, slug, position, status, joined_at) VALUES (?, 'other', 'Theirs', 'theirs', 'leader', 'active', 1)",
        memberIdOf('trinity'),
      );
    });
    await kept.follow(change('Neo', member('Neo', 2), member('Trinity', 1)));
    const rows = await database.read<readonly Readonly<Record<string, unknown>>[]>([], () =>
      plain('SELECT name FROM members ORDER BY name'),
    );
    expect(rows.map(({ name }) => name)).toEqual(['Neo', 'Theirs']);
  },
);
