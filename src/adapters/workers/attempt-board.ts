/**
 * Attempts handed out to workers on other machines: the board, the sides of leader and worker, and the readers.
 * @packageDocumentation
 */
import type { EndReason } from '#core/coordinator/snapshot.js';
import type { MailRight } from '#core/mail/conversation.js';
import type { LeaderCard, SealedText } from '#ports/leader-seal.js';
import type { ListedWorker } from '#ports/storage.js';
import type { AttemptEnd, AttemptReport } from '#ports/worker-desk.js';

/** What stays of an order when it is handed out: enough for facts, without what only its worker needs. */
export interface AttemptCard {
  readonly run: string;
  readonly taskId: string;
  readonly fence: number;
  readonly startedAt: number;
  readonly timeoutMs: number;
  /** The client; left out of a run of the command. */
  readonly executor?: string;
  readonly model?: string;
  readonly silentEnd?: 'ask';
  readonly mail?: MailRight;
  /** Where it would be at the leader's machine: how others recognise its branch and its files. */
  readonly branch?: string;
  readonly folder?: string;
}

/**
 * How an attempt ended: its worker told it; its worker was gone; no worker took it; it was withdrawn before one did; it was never
 * to begin; its worker told it in words that are not understood.
 */
export type AttemptOutcome = 'told' | 'lost' | 'untaken' | 'withdrawn' | 'refused' | 'garbled';

/** An attempt as it lies on the board. */
export interface PostedAttempt {
  readonly card: AttemptCard;
  readonly state: 'prepared' | 'offered' | 'running' | 'ended';
  readonly labels: readonly string[];
  /** The name of the worker that took it. */
  readonly worker?: string;
  readonly wishedEnd?: EndReason;
  /** The latest that its worker said of it, where that is valid. */
  readonly report?: AttemptReport;
  readonly outcome?: AttemptOutcome;
  /** Why it was refused, or what its worker told of its end is not valid. */
  readonly reason?: string;
  /** What its worker told. */
  readonly end?: AttemptEnd;
}

/** An attempt that is about to be handed out. */
export interface NewAttempt {
  readonly card: AttemptCard;
  readonly labels: readonly string[];
}

/** How long is too long, in milliseconds. */
export interface AttemptTerms {
  /** Without a worker that takes it. */
  readonly untakenMs: number;
  /** Since the last heartbeat of a worker. */
  readonly leaseMs: number;
}

/** A worker as a leader sees it. */
export interface BoardWorker extends Omit<ListedWorker, 'attempts'> {
  /** It left, or was taken off the list. */
  readonly gone: boolean;
  /** What its last heartbeat said of its runs. */
  readonly reports: readonly AttemptReport[];
  /** Runs of which it said what is not valid, and why. */
  readonly unread: readonly { readonly run: string; readonly why: string }[];
}

export interface BoardLook {
  /** Everything is in it, and not only what may have changed. */
  readonly whole: boolean;
  /** Those that are not forgotten, in the order in which they were posted. */
  readonly attempts: readonly PostedAttempt[];
  readonly workers: readonly BoardWorker[];
  /** Something was offered too long ago, or taken by a worker that is silent. */
  readonly overdue: boolean;
  /** Where the next look goes on from. */
  readonly mark: BoardMark;
}

/** How far a look saw. */
export interface BoardMark {
  readonly attempts: string;
  readonly workers: string;
}

/** What a look asks for: everything without a mark; else what may have changed since it, and these runs. */
export interface BoardQuestion {
  readonly since: BoardMark | undefined;
  readonly runs: readonly string[];
}

/**
 * Where the leader posts attempts and sees what becomes of them. `locked` where another leads by now: nothing was changed. Other errors:
 * those of the database.
 */
export interface AttemptBoard {
  look(question: BoardQuestion, terms: AttemptTerms): Promise<BoardLook>;
  /** Says with which key whoever leads signs from now on. */
  introduce(leader: LeaderCard): Promise<void>;
  /** Keeps an attempt before its task is claimed. */
  keep(attempt: NewAttempt): Promise<void>;
  /** From now on a worker that knows the key may take it; it need not be kept already. */
  offer(attempt: NewAttempt, order: SealedText): Promise<void>;
  /** It will never begin, and why. */
  refuse(card: AttemptCard, reason: string): Promise<void>;
  /** Removes what was kept and not offered. */
  discard(run: string): Promise<void>;
  /** It is to end. Answers its state: one that nobody has taken is withdrawn at once. Undefined for one that has ended. */
  end(run: string, why: EndReason): Promise<'ended' | 'running' | undefined>;
  /** What it may use from now on. */
  allow(run: string, limit: SealedText): Promise<void>;
  /** Those that have ended and whose ends are in the log already: a leader was gone before it could forget them. */
  completed(): Promise<readonly string[]>;
  /** Nothing needs its facts any more. */
  forget(run: string): Promise<void>;
  /** Ends what nobody took in time, and what silent workers had taken. */
  expire(terms: AttemptTerms): Promise<void>;
  /** Removes what was forgotten long ago. */
  prune(): Promise<void>;
  /** Tells the workers that there is something to take, or to hear. */
  tellWorkers(): Promise<void>;
  /** Calls back when workers have changed something, or may have; answers how to stop that. */
  onNews(listener: () => void): () => void;
  close(): Promise<void>;
}
