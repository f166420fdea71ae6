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
import { admitWakeUps, stormNotice } from './storm.js';
import { NO_TALK, type TalkView, type WakeUp } from './talk.js';
import { present, type Team, type TeamMember } from './team.js';
import { turnRow } from './team-tasks.js';

export interface SessionResult {
  readonly team: Team;
  readonly session: Session;
}

/**
 * Members meet about a topic; the first of them gets the first turn. Its turns belong to what led to it: `task` is that of the run which
 * opens it, undefined of a person. Errors: `bad_input`, `not_found`, `child_limit`, those of every change.
 */
export function openSession(
  view: TeamsView,
  word: string,
  wish: NewSession & { readonly task: string | undefined },
  call: TeamCall,
): TeamPlan<SessionResult> {
  const team = atWork(view, word);
  const talk = view.talk(team.id);
  const existing = talk.session(wish.id);
  if (existing) return { ...NOTHING, result: { team, session: existing } };
  const session = openedSession(team, wish, call.at);
  return changed(team, session, call, { talk, chain: chainOf(talk, wish, session) });
}

/** What the turns of a session count to. */
type Chain = Pick<WakeUp, 'origin' | 'depth' | 'cause'>;

function chainOf(
  talk: TalkView,
  { id, task }: { readonly id: string; readonly task: string | undefined },
  session: Session,
): Chain {
  if (task === undefined) return { origin: `session:${id}`, depth: 1, cause: null };
  const { origin = `task:${task}`, depth = 0 } = talk.wakeUp(task) ?? {};
  const soFar = { depth, wakeUps: talk.wakeUpsBy(task), activations: talk.wakeUpsOf(origin) };
  const { limit } = admitWakeUps(session.participants.slice(0, 1), soFar);
  if (limit)
    throw new TroupeError('child_limit', { what: stormNotice(limit), hint: 'End your turn and leave it to a person.' });
  return { origin, depth: depth + 1, cause: task };
}

/** What a participant says in its turn; then it is the turn of the next. Errors: `wrong_status`, `not_yours`, `bad_input`. */
export function speakInSession(
  view: TeamsView,
  word: string,
  turn: { readonly session: string; readonly member: string; readonly body: string },
  call: TeamCall,
): TeamPlan<SessionResult> {
  const { team, session } = sessionNamed(view, word, turn.session);
  const talk = view.talk(team.id);
  const first = talk.wakeUp(sessionTask({ ...session, turns: [] }));
  const chain = first ?? { origin: `session:${session.id}`, depth: 1, cause: null };
  return changed(team, withTurn(session, turn.member, turn.body), call, { talk, chain });
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
  return changed(team, concluded(session, end), call, undefined);
}

/** Errors: `wrong_status`. */
export function cancelSession(view: TeamsView, word: string, id: string, call: TeamCall): TeamPlan<SessionResult> {
  const { team, session } = sessionNamed(view, word, id);
  return changed(team, cancelled(session), call, undefined);
}

function sessionNamed(view: TeamsView, word: string, id: string): SessionResult {
  const team = atWork(view, word);
  const session = view.talk(team.id).session(id);
  if (session) return { team, session };
  throw new TroupeError('not_found', {
    what: `${inert(team.name)} has no session ${cut(inert(id), 60)}.`,
    hint: 'Run `troupe team session-list TEAM` to see them.',
    details: { team: team.name },
  });
}

/** `next`: what the turn that follows counts to; undefined where it ends. */
function changed(
  team: Team,
  session: Session,
  call: TeamCall,
  next: { readonly talk: TalkView; readonly chain: Chain } | undefined,
): TeamPlan<SessionResult> {
  const { status, turns } = session;
  const activity = turns.length === 0 ? 'session-opened' : 'session-turn';
  const kind = status === 'active' ? activity : (`session-${status}` as const);
  const slug = nextSpeaker(session);
  const member = present(team).find((one) => one.slug === slug);
  // Where the next one has left the team, its leader concludes or cancels.
  const { outbox, wakeUps } =
    next && member ? turnOf(team, session, { ...next, member, call }) : { outbox: [], wakeUps: [] };
  const payload = { session_id: session.id, turn: turns.length };
  return {
    ...NOTHING,
    events: [{ teamId: team.id, at: call.at, by: call.by, kind, payload }],
    outbox,
    talk: { ...NO_TALK, sessions: [session], wakeUps },
    result: { team, session },
  };
}

/** The turn of whoever speaks next, an ordinary task that comes after the one the member has. */
function turnOf(
  team: Team,
  session: Session,
  {
    talk,
    chain,
    member,
    call,
  }: { readonly talk: TalkView; readonly chain: Chain; readonly member: TeamMember; readonly call: TeamCall },
): { readonly outbox: readonly OutboxRow[]; readonly wakeUps: readonly WakeUp[] } {
  const [read, answer] = ['show', 'turn'].map((verb) => `\`team session-${verb} ${team.id} ${session.id}`);
  const description = `It is your turn in a session of your team. Read it with ${read}\`, then say what you think with ${answer} TEXT\`.`;
  const id = sessionTask(session);
  const previous = talk.latestTurn(member.slug);
  const after = previous === undefined ? [] : [previous];
  const { origin, depth, cause } = chain;
  return {
    outbox: [turnRow(team, { id, title: `${team.name}: your turn in a session`, description, after, member }, call)],
    wakeUps: [{ task: id, teamId: team.id, member: member.slug, origin, depth, cause, createdAt: call.at }],
  };
}
