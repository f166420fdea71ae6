import { db, statement } from '#adapters/teams-database/building.js';

const sessions = db
  .selectFrom('sessions')
  .select(['id', 'team_id', 'topic', 'trigger', 'max_rounds', 'status', 'outcome_json', 'created_at']);

export const SESSION = statement(({ team, id }: { team: string; id: string }) =>
  sessions.where('team_id', '=', team).where('id', '=', id),
);

/** Newest first. */
export const SESSIONS = statement(({ team, limit }: { team: string; limit: number }) =>
  sessions.where('team_id', '=', team).orderBy('created_at', 'desc').orderBy('rowid', 'desc').limit(limit),
);

export const PARTICIPANTS = statement(({ session }: { session: string }) =>
  db.selectFrom('participants').select('member').where('session_id', '=', session).orderBy('place'),
);

export const TURNS = statement(({ session }: { session: string }) =>
  db.selectFrom('turns').select(['n', 'member', 'body']).where('session_id', '=', session).orderBy('n'),
);

interface SessionValues {
  readonly id: string;
  readonly teamId: string;
  readonly topic: string;
  readonly trigger: string;
  readonly maxRounds: number;
  readonly status: string;
  readonly outcome: string | null;
  readonly createdAt: number;
}

export const KEEP_SESSION = statement((one: SessionValues) => {
  const changing = { status: one.status, outcome_json: one.outcome };
  return db
    .insertInto('sessions')
    .values({
      id: one.id,
      team_id: one.teamId,
      topic: one.topic,
      trigger: one.trigger,
      max_rounds: one.maxRounds,
      created_at: one.createdAt,
      ...changing,
    })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing));
});

export const ADD_PARTICIPANT = statement((row: { session: string; place: number; member: string }) =>
  db
    .insertInto('participants')
    .values({ session_id: row.session, place: row.place, member: row.member })
    .onConflict((conflict) => conflict.columns(['session_id', 'place']).doNothing()),
);

export const ADD_TURN = statement((row: { session: string; n: number; member: string; body: string }) =>
  db
    .insertInto('turns')
    .values({ session_id: row.session, n: row.n, member: row.member, body: row.body })
    .onConflict((conflict) => conflict.columns(['session_id', 'n']).doNothing()),
);
