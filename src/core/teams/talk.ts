import type { NewTeamMessage, TeamMessage } from './mail.js';
import type { Session } from './session.js';
import type { Strata } from './strata.js';

/** A turn given to a member by a message: an ordinary task and the chain it belongs to. */
export interface WakeUp {
  readonly task: string;
  readonly teamId: string;
  /** Member slug. */
  readonly member: string;
  /** Message or task that started the chain. */
  readonly origin: string;
  /** Turns in the chain up to and including this one. */
  readonly depth: number;
  /** Task of the sending run; null for a person. */
  readonly cause: string | null;
  readonly createdAt: number;
}

/** Queries about messages, plans and sessions. */
export interface TalkQueries {
  strata(teamId: string): readonly Strata[];
  /** Number of the latest message; 0 if there is none. */
  lastNumber(teamId: string): number;
  message(id: string): TeamMessage | undefined;
  /** Number of messages in a thread. */
  threadLength(thread: string): number;
  wakeUp(task: string): WakeUp | undefined;
  /** Turns of one origin; turns started by one task. */
  wakeUpsOf(origin: string): number;
  wakeUpsBy(cause: string): number;
  /** Task of the member's latest turn. */
  latestTurn(teamId: string, member: string): string | undefined;
  session(teamId: string, id: string): Session | undefined;
}

/** Rows written by a decision. */
export interface TalkRows {
  readonly strata: readonly Strata[];
  readonly messages: readonly NewTeamMessage[];
  readonly wakeUps: readonly WakeUp[];
  readonly sessions: readonly Session[];
  readonly reads: readonly MailRead[];
  /** Team that a person works with from now on. */
  readonly inUse: readonly { readonly person: string; readonly teamId: string }[];
}

/** A member has read everything up to a point in time. */
export interface MailRead {
  readonly teamId: string;
  readonly member: string;
  readonly until: number;
  readonly at: number;
}

export const NO_TALK: TalkRows = { strata: [], messages: [], wakeUps: [], sessions: [], reads: [], inUse: [] };
