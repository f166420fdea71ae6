import * as z from 'zod/mini';
import { TroupeError } from '#kernel/errors.js';
import { TALK_LIMITS } from '#kernel/limits/talk.js';
import { slugOf } from '#kernel/slug.js';
import { cut, inert } from '#kernel/text.js';
import { shortTeamId } from './strata.js';
import { memberNamed, type Team } from './team.js';

export const SESSION_STATUSES = ['active', 'concluded', 'deadlocked', 'cancelled'] as const;
export type SessionStatus = (typeof SESSION_STATUSES)[number];
export const SESSION_TRIGGERS = ['explicit', 'auto'] as const;

export interface SessionOutcome {
  readonly conclusion: string;
  /** Slugs. */
  readonly agreed: readonly string[];
  readonly dissent: string | null;
}

const outcomeShape = z.strictObject({
  conclusion: z.string(),
  agreed: z.array(z.string()),
  dissent: z.nullable(z.string()),
});

/** Parses a stored outcome; undefined for anything else. */
export function sessionOutcome(value: unknown): SessionOutcome | undefined {
  const parsed = outcomeShape.safeParse(value);
  return parsed.success ? parsed.data : undefined;
}

/** A turn of a participant; `n` counts from 1. */
export interface SessionTurn {
  readonly n: number;
  readonly member: string;
  readonly body: string;
}

/** Members who discuss one topic in turn until the leader concludes. */
export interface Session {
  readonly id: string;
  readonly teamId: string;
  readonly topic: string;
  readonly trigger: (typeof SESSION_TRIGGERS)[number];
  /** Maximum turns per participant. */
  readonly maxRounds: number;
  readonly status: SessionStatus;
  readonly outcome: SessionOutcome | null;
  /** Slugs, in speaking order. */
  readonly participants: readonly string[];
  readonly turns: readonly SessionTurn[];
  readonly createdAt: number;
}

export interface NewSession {
  readonly id: string;
  readonly topic: string;
  readonly with: readonly string[];
  readonly rounds: number | undefined;
  readonly trigger: Session['trigger'];
}

/** Validates and builds a session. Errors: `bad_input`, `not_found` for a name that is not on the team. */
export function openedSession(team: Team, wish: NewSession, at: number): Session {
  const participants = [...new Set(wish.with.map((name) => memberNamed(team, name)))].filter(
    ({ position, status, person }) => position !== 'observer' && status === 'active' && person === null,
  );
  const rounds = wish.rounds ?? TALK_LIMITS.sessionRounds;
  if (participants.length < 2) throw new TroupeError('bad_input', { what: 'A session needs two agents of the team.' });
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > TALK_LIMITS.sessionRoundsMost)
    throw new TroupeError('bad_input', { what: `A session must have 1 to ${TALK_LIMITS.sessionRoundsMost} rounds.` });
  return {
    id: wish.id,
    teamId: team.id,
    topic: boundedText(wish.topic, 'topic'),
    trigger: wish.trigger,
    maxRounds: rounds,
    status: 'active',
    outcome: null,
    turns: [],
    createdAt: at,
    participants: participants.map(({ slug }) => slug),
  };
}

/** Slug of the participant whose turn it is, round robin. Undefined once the session has ended. */
export function nextSpeaker({ status, participants, turns }: Session): string | undefined {
  return status === 'active' ? participants[turns.length % participants.length] : undefined;
}

/** Task id of the current turn. */
export function sessionTaskId({ id, turns }: Pick<Session, 'id' | 'turns'>): string {
  return `.session-${shortTeamId(id)}-${turns.length + 1}`;
}

/**
 * Appends a turn. If it is the last turn of the last round, the session is deadlocked. Errors: `wrong_status`,
 * `not_yours`, `bad_input`.
 */
export function appendTurn(session: Session, member: string, body: string): Session {
  refuseEnded(session);
  if (nextSpeaker(session) !== member) {
    throw new TroupeError('not_yours', { what: `It is the turn of ${nextSpeaker(session)}.` });
  }
  const turns = [...session.turns, { n: session.turns.length + 1, member, body: boundedText(body, 'turn') }];
  const isLast = turns.length >= session.maxRounds * session.participants.length;
  return { ...session, turns, status: isLast ? 'deadlocked' : 'active' };
}

/** Concludes a session. Errors: `wrong_status`, `bad_input` for a name that did not take part. */
export function concluded(
  session: Session,
  { conclusion, agreed, dissent }: { conclusion: string; agreed: readonly string[]; dissent: string | undefined },
): Session {
  refuseEnded(session);
  const slugs = agreed.map((name) => slugOf(name) ?? name);
  const stranger = slugs.find((slug) => !session.participants.includes(slug));
  if (stranger !== undefined)
    throw new TroupeError('bad_input', { what: `${cut(inert(stranger), 60)} was not part of this session.` });
  const outcome = {
    conclusion: boundedText(conclusion, 'conclusion'),
    agreed: [...new Set(slugs)],
    dissent: dissent === undefined ? null : boundedText(dissent, 'dissent'),
  };
  return { ...session, status: 'concluded', outcome };
}

/** Errors: `wrong_status`. */
export function cancelled(session: Session): Session {
  refuseEnded(session);
  return { ...session, status: 'cancelled' };
}

/** Whether a thread has just reached the length at which its leader is hinted to open a session, once per thread. */
export function reachesSessionHint(messages: number): boolean {
  return messages === TALK_LIMITS.threadHintMessages;
}

function refuseEnded({ status, teamId }: Session): void {
  if (status !== 'active')
    throw new TroupeError('wrong_status', {
      what: `The session is ${status}.`,
      hint: 'Run `troupe team session-show TEAM --all`.',
      details: { team: teamId },
    });
}

function boundedText(text: string, what: string): string {
  const value = text.trim();
  if (value !== '' && value.length <= TALK_LIMITS.sessionTextCharacters && !/[\0\p{Cs}]/u.test(value)) return value;
  throw new TroupeError('bad_input', {
    what: `The ${what} must have 1 to ${TALK_LIMITS.sessionTextCharacters} characters.`,
  });
}
