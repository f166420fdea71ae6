import { type ExpressionBuilder, sql } from 'kysely';
import { db, statement } from '#adapters/teams-database/building.js';
import type { Columns } from '#adapters/teams-database/columns.js';
import type { TeamMember } from '#core/teams/team.js';

export const LABELS = statement(() =>
  db.selectFrom('teams').select(['id', 'name', 'status', 'created_at']).orderBy('created_at').orderBy('id'),
);

const latestMessage = (eb: ExpressionBuilder<Columns, 'teams'>) =>
  eb
    .selectFrom('messages')
    .select('messages.created_at')
    .where('conversation_id', '=', sql<string>`'team:' || ${eb.ref('teams.id')}`)
    .orderBy('seq', 'desc')
    .limit(1);

/** Active teams first, by latest message, then by creation, newest first. */
const listed = ({ limit }: { limit: number }) =>
  db
    .selectFrom('teams')
    .orderBy((eb) => eb('status', '<>', 'active'))
    .orderBy(latestMessage, (order) => order.desc().nullsLast())
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(limit);

const TEAM_COLUMNS = [
  ...(['id', 'name', 'name_auto', 'description', 'status', 'mesh', 'cast_slug', 'created_at', 'ended_at'] as const),
] as const;

export const TEAMS = statement((values: { limit: number }) => listed(values).select(TEAM_COLUMNS));

export const TEAM = statement(({ id }: { id: string }) =>
  db.selectFrom('teams').select(TEAM_COLUMNS).where('id', '=', id),
);

const members = db
  .selectFrom('members')
  .select(['id', 'team_id', 'name', 'slug', 'position', 'status', 'agent', 'person', 'joined_at', 'left_at'])
  .orderBy('joined_at')
  .orderBy((eb) => eb.fn<string>('lower', ['name']))
  .orderBy('id');

export const MEMBERS = statement(({ team }: { team: string }) => members.where('team_id', '=', team));

export const MEMBERS_OF_TEAMS = statement((values: { limit: number }) =>
  members.where('team_id', 'in', listed(values).select('id')),
);

export const ON_ANOTHER_TEAM = statement(({ id, team }: { id: string; team: string }) =>
  db.selectFrom('members').select('id').where('id', '=', id).where('team_id', '<>', team),
);

interface TeamValues {
  readonly id: string;
  readonly name: string;
  readonly nameAuto: number;
  readonly description: string;
  readonly status: string;
  readonly mesh: number;
  readonly cast: string | null;
  readonly createdAt: number;
  readonly endedAt: number | null;
}

/** `cast_slug` is set only at creation. */
export const KEEP_TEAM = statement((team: TeamValues) => {
  const changing = {
    name: team.name,
    name_auto: team.nameAuto,
    description: team.description,
    status: team.status,
    mesh: team.mesh,
    created_at: team.createdAt,
    ended_at: team.endedAt,
  };
  return db
    .insertInto('teams')
    .values({ id: team.id, cast_slug: team.cast, ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing));
});

export const REMOVE_MEMBERS = statement(({ team }: { team: string }) =>
  db.updateTable('members').set({ status: 'removed' }).where('team_id', '=', team),
);

export const KEEP_MEMBER = statement((one: TeamMember & { readonly team: string }) => {
  const changing = {
    name: one.name,
    slug: one.slug,
    position: one.position,
    status: one.status,
    agent: one.agent,
    person: one.person,
    joined_at: one.joinedAt,
    left_at: one.leftAt,
  };
  return db
    .insertInto('members')
    .values({ id: one.id, team_id: one.team, ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing));
});

export const ADD_EVENT = statement((event: { team: string; kind: string; payload: string; at: number }) =>
  db
    .insertInto('team_events')
    .values({ team_id: event.team, kind: event.kind, payload_json: event.payload, at: event.at }),
);

const events = ({ team, limit }: { team: string; limit: number }) =>
  db
    .selectFrom('team_events')
    .select(['seq', 'team_id', 'kind', 'payload_json', 'at'])
    .where('team_id', '=', team)
    .limit(limit);

/** Newest first. */
export const LATEST_EVENTS = statement((values: { team: string; limit: number }) =>
  events(values).orderBy('seq', 'desc'),
);

export const EVENTS_AFTER = statement((values: { team: string; after: number; limit: number }) =>
  events(values).where('seq', '>', values.after).orderBy('seq'),
);
