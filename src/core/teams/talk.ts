import type { NewTeamMessage, TeamMessage } from './mail.js';
import type { Session } from './session.js';
import type { Strata } from './strata.js';

/** A turn that a message has given to a member: an ordinary task, and what set it off. */
export interface WakeUp {
  readonly task: string;
  readonly teamId: string;
  /** The slug of whose turn it is. */
  readonly member: string;
  /** Of the message or the task that began it all. */
  readonly origin: string;
  /** How many turns lie between, this one counted. */
  readonly depth: number;
  /** The task of the run that wrote; null for a person. */
  readonly cause: string | null;
  readonly createdAt: number;
}

/** What a decision may ask of what teams said and planned. */
export interface TalkAnswers {
  strata(teamId: string): readonly Strata[];
  /** The number of the latest message; 0 where there is none. */
  lastNumber(teamId: string): number;
  message(id: string): TeamMessage | undefined;
  /** How many messages a thread has. */
  threadLength(thread: string): number;
  wakeUp(task: string): WakeUp | undefined;
  /** Turns of one origin; turns that one task has begun. */
  wakeUpsOf(origin: string): number;
  wakeUpsBy(cause: string): number;
  /** The task of the member's latest turn. */
  latestTurn(teamId: string, member: string): string | undefined;
  session(teamId: string, id: string): Session | undefined;
}

/** What of it a decision writes. */
export interface TalkRows {
  readonly strata: readonly Strata[];
  readonly messages: readonly NewTeamMessage[];
  readonly wakeUps: readonly WakeUp[];
  readonly sessions: readonly Session[];
  readonly reads: readonly MailRead[];
  /** The team a person works with from now on. */
  readonly inUse: readonly { readonly person: string; readonly teamId: string }[];
}

/** A member has read all that was there at a moment. */
export interface MailRead {
  readonly teamId: string;
  readonly member: string;
  readonly until: number;
  readonly at: number;
}

export const NO_TALK: TalkRows = { strata: [], messages: [], wakeUps: [], sessions: [], reads: [], inUse: [] };
