import type { OutboxRow } from '#core/outbox/outbox.js';
import { TroupeError } from '#kernel/errors.js';
import { cut, inert } from '#kernel/text.js';
import { atWork, NOTHING, type TeamCall, type TeamPlan, type TeamsView } from './changes.js';
import {
  cancelled,
  concluded,
  type NewSession,
  nextSpeaker,
  openedSession,
  type Session,
  sessionTask,
  withTurn,
} from './session.js';
import { NO_TALK } from './talk.js';
import { present, type Team } from './team.js';
import { turnRow } from './team-tasks.js';

export interface SessionResult {
  readonly team: Team;
  readonly session: Session;
}

/** Members meet about a topic; the first of them gets the first turn. Errors: `bad_input`, `not_found`, those of every change. */
export function openSession(view: TeamsView, word: string, wish: NewSession, call: TeamCall): TeamPlan<SessionResult> {
  const team = atWork(view, word);
  const existing = view.talk(team.id).session(wish.id);
  if (existing) return { ...NOTHING, result: { team, session: existing } };
  return changed(team, openedSession(team, wish, call.at), call);
}

/** What a participant says in its turn; then it is the turn of the next. Errors: `wrong_status`, `not_yours`, `bad_input`. */
export function speakInSession(
  view: TeamsView,
  word: string,
  turn: { readonly session: string; readonly member: string; readonly body: string },
  call: TeamCall,
): TeamPlan<SessionResult> {
  const { team, session } = sessionNamed(view, word, turn.session);
  return changed(team, withTurn(session, turn.member, turn.body), call);
}

/** The leader, or a person, says what came of it. Errors: `wrong_status`, `bad_input`. */
export function concludeSession(
  view: TeamsView,
  word: string,
  end: {
    readonly session: string;
    readonly conclusion: string;
    readonly agreed: readonly string[];
    readonly dissent: string | undefined;
  },
  call: TeamCall,
): TeamPlan<SessionResult> {
  const { team, session } = sessionNamed(view, word, end.session);
  return changed(team, concluded(session, end), call);
}

/** Errors: `wrong_status`. */
export function cancelSession(view: TeamsView, word: string, id: string, call: TeamCall): TeamPlan<SessionResult> {
  const { team, session } = sessionNamed(view, word, id);
  return changed(team, cancelled(session), call);
}

function sessionNamed(view: TeamsView, word: string, id: string): SessionResult {
  const team = atWork(view, word);
  const session = view.talk(team.id).session(id);
  if (session) return { team, session };
  throw new TroupeError('not_found', {
    what: `${inert(team.name)} has no session ${cut(inert(id), 60)}.`,
    hint: 'Run `troupe team session-list TEAM` to see them.',
  });
}

function changed(team: Team, session: Session, call: TeamCall): TeamPlan<SessionResult> {
  const { by, at } = call;
  const { status, turns } = session;
  const activity = turns.length === 0 ? 'session-opened' : 'session-turn';
  const kind = status === 'active' ? activity : (`session-${status}` as const);
  return {
    ...NOTHING,
    events: [{ teamId: team.id, at, by, kind, payload: { session_id: session.id, turn: turns.length } }],
    outbox: turnOf(team, session, call),
    talk: { ...NO_TALK, sessions: [session] },
    result: { team, session },
  };
}

/** The turn of whoever speaks next, an ordinary task; none once it has ended, or where the next one has left the team. */
function turnOf(team: Team, session: Session, call: TeamCall): readonly OutboxRow[] {
  const slug = nextSpeaker(session);
  const member = present(team).find((one) => one.slug === slug);
  if (member === undefined) return [];
  const [read, answer] = ['show', 'turn'].map((verb) => `\`team session-${verb} ${team.id} ${session.id}`);
  const description = `It is your turn in a session of your team. Read it with ${read}\`, then say what you think with ${answer} TEXT\`.`;
  const title = `${team.name}: your turn in a session`;
  return [turnRow(team, { id: sessionTask(session), title, description, after: [], member }, call)];
}
