/**
 * Work on several machines: attempts handed out to workers, the sides of leader and worker, requests to the leader, the
 * output of runs as blobs, a trial fleet.
 * @packageDocumentation
 */
import type { EndReason } from '#core/coordinator/snapshot.js';
import type { MailRight } from '#core/mail/conversation.js';
import type { LeaderCard, SealedText } from '#ports/leader-seal.js';
import type { ListedWorker } from '#ports/storage.js';
import type { AttemptEnd, AttemptReport } from '#ports/worker-gateway.js';

/** Part of an order kept after it was handed out: enough for run facts, without what only its worker needs. */
export interface AttemptCard {
  readonly run: string;
  readonly taskId: string;
  readonly fence: number;
  readonly startedAt: number;
  readonly timeoutMs: number;
  /** Client; omitted for a command. */
  readonly executor?: string;
  readonly model?: string;
  readonly silentEnd?: 'ask';
  readonly mail?: MailRight;
  /** Branch and folder as they would be on the leader's machine; they identify its work. */
  readonly branch?: string;
  readonly folder?: string;
}

/**
 * Outcome of an attempt. `told`: reported by its worker; `lost`: its worker disappeared; `untaken`: no worker took it;
 * `withdrawn`: cancelled before one did; `refused`: never to be started; `garbled`: reported in an invalid form.
 */
export type AttemptOutcome = 'told' | 'lost' | 'untaken' | 'withdrawn' | 'refused' | 'garbled';

/** Attempt on the board. */
export interface PostedAttempt {
  readonly card: AttemptCard;
  readonly state: 'prepared' | 'offered' | 'running' | 'ended';
  readonly labels: readonly string[];
  /** Name of the worker that took it. */
  readonly worker?: string;
  readonly wishedEnd?: EndReason;
  /** Latest valid report of its worker. */
  readonly report?: AttemptReport;
  readonly outcome?: AttemptOutcome;
  /** Reason for its refusal, or fault in the worker's final report. */
  readonly reason?: string;
  /** Final report of its worker. */
  readonly end?: AttemptEnd;
}

/** Attempt to be handed out. */
export interface NewAttempt {
  readonly card: AttemptCard;
  readonly labels: readonly string[];
}

/** Time limits in milliseconds. */
export interface AttemptTerms {
  /** Maximum time without a worker that takes it. */
  readonly untakenMs: number;
  /** Maximum time since a worker's last heartbeat. */
  readonly leaseMs: number;
}

/** Worker as seen by a leader. */
export interface BoardWorker extends Omit<ListedWorker, 'attempts'> {
  /** Whether it left or was removed. */
  readonly gone: boolean;
  /** Run reports of its last heartbeat. */
  readonly reports: readonly AttemptReport[];
  /** Runs with an invalid report, and the fault. */
  readonly unread: readonly { readonly run: string; readonly why: string }[];
}

export interface BoardLook {
  /** Whether it contains everything instead of possible changes only. */
  readonly whole: boolean;
  /** Attempts not forgotten, in posting order. */
  readonly attempts: readonly PostedAttempt[];
  readonly workers: readonly BoardWorker[];
  /** Whether an offer timed out, or a worker with attempts is silent. */
  readonly overdue: boolean;
  /** Cursor for the next look. */
  readonly mark: BoardMark;
}

/** Cursor of a look. */
export interface BoardMark {
  readonly attempts: string;
  readonly workers: string;
}

/** Query for a look: everything if `since` is undefined, otherwise possible changes since then and these runs. */
export interface BoardQuestion {
  readonly since: BoardMark | undefined;
  readonly runs: readonly string[];
}

/**
 * Board on which the leader posts attempts and follows them. Errors: `locked` if another process leads, with nothing
 * changed; those of the database.
 */
export interface AttemptBoard {
  look(question: BoardQuestion, terms: AttemptTerms): Promise<BoardLook>;
  /** Publishes the signing key of the present leader. */
  introduce(leader: LeaderCard): Promise<void>;
  /** Stores an attempt before its task is claimed. */
  keep(attempt: NewAttempt): Promise<void>;
  /** Offers an attempt to workers that trust the key; it need not be stored before. */
  offer(attempt: NewAttempt, order: SealedText): Promise<void>;
  /** Records that an attempt will never start, with the reason. */
  refuse(card: AttemptCard, reason: string): Promise<void>;
  /** Removes an attempt that was stored but not offered. */
  discard(run: string): Promise<void>;
  /** Requests the end of an attempt, or withdraws it if untaken. Returns its state; undefined if it has ended. */
  end(run: string, why: EndReason): Promise<'ended' | 'running' | undefined>;
  /** Sets the new spending limit of an attempt. */
  allow(run: string, limit: SealedText): Promise<void>;
  /** Ended attempts whose ends are in the log already, because a leader was gone before it could forget them. */
  completed(): Promise<readonly string[]>;
  /** Marks an attempt as no longer needed. */
  forget(run: string): Promise<void>;
  /** Ends attempts that no worker took in time, and those of silent workers. */
  expire(terms: AttemptTerms): Promise<void>;
  /** Removes attempts forgotten long ago. */
  prune(): Promise<void>;
  /** Notifies workers of offers and requests. */
  tellWorkers(): Promise<void>;
  /** Calls the listener when workers may have changed something. Returns a function that stops it. */
  onNews(listener: () => void): () => void;
  close(): Promise<void>;
}
