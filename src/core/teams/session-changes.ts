import type { OutboxRow } from '#core/mail/outbox.js';
import { TroupeError } from '#kernel/errors.js';
import type { Queried } from '#kernel/query.js';
import { cut, inert } from '#kernel/text.js';
import { activeTeam, EMPTY_TEAM_PLAN, type TeamCall, type TeamPlan, type TeamsView } from './changes.js';
import {
  appendTurn,
  cancelled,
  concluded,
  type NewSession,
  nextSpeaker,
  openedSession,
  type Session,
  sessionTaskId,
} from './session.js';
import { admitWakeUps, wakeUpLimitNotice } from './storm.js';
import { NO_TALK, type WakeUp } from './talk.js';
import { presentMembers, type Team, type TeamMember } from './team.js';
import { memberTaskRow } from './team-tasks.js';

export interface SessionResult {
  readonly team: Team;
  readonly session: Session;
}

/**
 * Opens a session about a topic; the first participant gets the first turn. Its turns belong to the chain that led to
 * it: `task` is the task of the run that opens it, undefined for a person. Errors: `bad_input`, `not_found`,
 * `child_limit`, those of every change.
 */
export function* openSession(
  view: TeamsView,
  word: string,
  wish: NewSession & { readonly task: string | undefined },
  call: TeamCall,
): Queried<TeamPlan<SessionResult>> {
  const team = yield* activeTeam(view, word);
  const existing = yield* view.session(team.id, wish.id);
  if (existing) return { ...EMPTY_TEAM_PLAN, result: { team, session: existing } };
  const session = openedSession(team, wish, call.at);
  return yield* changed(view, { team, session }, call, yield* chainOf(view, wish, session));
}

/** Wake-up chain that the turns of a session count towards. */
type Chain = Pick<WakeUp, 'origin' | 'depth' | 'cause'>;

function* chainOf(
  view: TeamsView,
  { id, task }: { readonly id: string; readonly task: string | undefined },
  session: Session,
): Queried<Chain> {
  if (task === undefined) return { origin: `session:${id}`, depth: 1, cause: null };
  const { origin = `task:${task}`, depth = 0 } = (yield* view.wakeUp(task)) ?? {};
  const [wakeUps, activations] = [yield* view.wakeUpsBy(task), yield* view.wakeUpsOf(origin)];
  const { limit } = admitWakeUps(session.participants.slice(0, 1), { depth, wakeUps, activations });
  if (limit)
    throw new TroupeError('child_limit', {
      what: wakeUpLimitNotice(limit),
      hint: 'End your turn and leave it to a person.',
    });
  return { origin, depth: depth + 1, cause: task };
}

/**
 * Records a participant's turn and gives the next participant its turn. Errors: those of `activeTeam`, `not_found`,
 * `wrong_status`, `not_yours`, `bad_input`.
 */
export function* speakInSession(
  view: TeamsView,
  word: string,
  turn: { readonly session: string; readonly member: string; readonly body: string },
  call: TeamCall,
): Queried<TeamPlan<SessionResult>> {
  const { team, session } = yield* sessionNamed(view, word, turn.session);
  const first = yield* view.wakeUp(sessionTaskId({ ...session, turns: [] }));
  const chain = first ?? { origin: `session:${session.id}`, depth: 1, cause: null };
  return yield* changed(view, { team, session: appendTurn(session, turn.member, turn.body) }, call, chain);
}

/**
 * Concludes a session with an outcome given by the leader or a person. Errors: those of `activeTeam`, `not_found`,
 * `wrong_status`, `bad_input`.
 */
export function* concludeSession(
  view: TeamsView,
  word: string,
  end: {
    readonly session: string;
    readonly conclusion: string;
    readonly agreed: readonly string[];
    readonly dissent: string | undefined;
  },
  call: TeamCall,
): Queried<TeamPlan<SessionResult>> {
  const { team, session } = yield* sessionNamed(view, word, end.session);
  return yield* changed(view, { team, session: concluded(session, end) }, call, undefined);
}

/** Errors: those of `activeTeam`, `not_found`, `wrong_status`. */
export function* cancelSession(
  view: TeamsView,
  word: string,
  id: string,
  call: TeamCall,
): Queried<TeamPlan<SessionResult>> {
  const { team, session } = yield* sessionNamed(view, word, id);
  return yield* changed(view, { team, session: cancelled(session) }, call, undefined);
}

function* sessionNamed(view: TeamsView, word: string, id: string): Queried<SessionResult> {
  const team = yield* activeTeam(view, word);
  const session = yield* view.session(team.id, id);
  if (session) return { team, session };
  throw new TroupeError('not_found', {
    what: `${inert(team.name)} has no session ${cut(inert(id), 60)}.`,
    hint: 'Run `troupe team session-show TEAM --all` to see them.',
    details: { team: team.name },
  });
}

/** `chain`: of the turn that follows; undefined if the session ends. */
function* changed(
  view: TeamsView,
  { team, session }: SessionResult,
  call: TeamCall,
  chain: Chain | undefined,
): Queried<TeamPlan<SessionResult>> {
  const { status, turns } = session;
  const activity = turns.length === 0 ? 'session-opened' : 'session-turn';
  const kind = status === 'active' ? activity : (`session-${status}` as const);
  const slug = nextSpeaker(session);
  const member = presentMembers(team).find((one) => one.slug === slug);
  // If the next participant has left the team, no turn is created: the leader concludes or cancels.
  const { outbox, wakeUps } =
    chain && member
      ? turnOf({ team, session }, { chain, member, previous: yield* view.latestTurn(team.id, member.slug), call })
      : { outbox: [], wakeUps: [] };
  const payload = { session_id: session.id, turn: turns.length };
  return {
    ...EMPTY_TEAM_PLAN,
    events: [{ teamId: team.id, at: call.at, by: call.by, kind, payload }],
    outbox,
    talk: { ...NO_TALK, sessions: [session], wakeUps },
    result: { team, session },
  };
}

/** The next speaker's turn: an ordinary task that depends on the member's previous turn. */
function turnOf(
  { team, session }: SessionResult,
  {
    chain,
    member,
    previous,
    call,
  }: {
    readonly chain: Chain;
    readonly member: TeamMember;
    readonly previous: string | undefined;
    readonly call: TeamCall;
  },
): { readonly outbox: readonly OutboxRow[]; readonly wakeUps: readonly WakeUp[] } {
  const [read, answer] = ['show', 'turn'].map((verb) => `\`team session-${verb} ${team.id} ${session.id}`);
  const description = `It is your turn in a session of your team. Read it with ${read}\`, then say what you think with ${answer} TEXT\`.`;
  const id = sessionTaskId(session);
  const after = previous === undefined ? [] : [previous];
  const { origin, depth, cause } = chain;
  return {
    outbox: [
      memberTaskRow(team, { id, title: `${team.name}: your turn in a session`, description, after, member }, call),
    ],
    wakeUps: [{ task: id, teamId: team.id, member: member.slug, origin, depth, cause, createdAt: call.at }],
  };
}
