import { perform, type RowOf, type Statements } from '#adapters/teams-database/statement.js';
import { corrupt, known } from '#adapters/teams-database/words.js';
import {
  SESSION_STATUSES,
  SESSION_TRIGGERS,
  type Session,
  type SessionOutcome,
  sessionOutcome,
} from '#core/teams/session.js';
import { parseJsonObject } from '#kernel/json.js';
import {
  ADD_PARTICIPANT,
  ADD_TURN,
  KEEP_SESSION,
  PARTICIPANTS,
  SESSION,
  SESSIONS,
  TURNS,
} from './session-statements.js';

export function* storedSession(team: string, id: string): Statements<Session | undefined> {
  return (yield* withTurns(yield* perform(SESSION, { team, id })))[0];
}

/** Newest first. */
export function* sessionsOf(team: string, limit: number): Statements<readonly Session[]> {
  return yield* withTurns(yield* perform(SESSIONS, { team, limit }));
}

export function* writeSession({ outcome, participants, turns, ...session }: Session): Statements<void> {
  yield* perform(KEEP_SESSION, { ...session, outcome: outcome && JSON.stringify(outcome) });
  for (const [place, member] of participants.entries())
    yield* perform(ADD_PARTICIPANT, { session: session.id, place, member });
  for (const { n, member, body } of turns) yield* perform(ADD_TURN, { session: session.id, n, member, body });
}

type SessionRow = RowOf<typeof SESSIONS>;

function* withTurns(rows: readonly SessionRow[]): Statements<Session[]> {
  const sessions: Session[] = [];
  for (const row of rows) {
    const { id, team_id: teamId, topic, max_rounds: maxRounds, created_at: createdAt } = row;
    const participants = (yield* perform(PARTICIPANTS, { session: id })).map(({ member }) => member);
    sessions.push({
      id,
      teamId,
      topic,
      maxRounds,
      createdAt,
      participants,
      outcome: outcomeOf(row),
      trigger: known(SESSION_TRIGGERS, row.trigger, 'sessions', id, 'trigger'),
      status: known(SESSION_STATUSES, row.status, 'sessions', id, 'status'),
      turns: yield* perform(TURNS, { session: id }),
    });
  }
  return sessions;
}

function outcomeOf({ id, outcome_json: json }: SessionRow): SessionOutcome | null {
  if (json === null) return null;
  const outcome = sessionOutcome(parseJsonObject(json));
  if (outcome) return outcome;
  throw corrupt('sessions', id, 'outcome_json', json);
}
