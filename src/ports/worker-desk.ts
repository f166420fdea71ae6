import type { SpendLimit } from '#core/coordinator/budget.js';
import type { EndReason, RunFact } from '#core/coordinator/snapshot.js';
import type { Clock } from '#kernel/clock.js';
import type { AttemptRequest, Publication } from './attempt-trees.js';
import type { LeaderCard, PublishedLeader, SealedText } from './leader-seal.js';
import type { ListedRun, RunPlan } from './run-host.js';

/** An attempt as it is handed to a worker, which completes it for its machine: it names no place, and no value of a variable. */
export interface AttemptOrder {
  readonly plan: RunPlan;
  /** The worktree to make before the run begins, from a commit that the leader published. */
  readonly tree: AttemptRequest;
  /** Whether the setup of the project runs in a new worktree. */
  readonly setsUp: boolean;
}

/** An order as it is handed out: as its leader signed it, and what the store says of its attempt. */
export interface HandedOrder {
  readonly run: string;
  readonly task: string;
  readonly fence: number;
  readonly order: SealedText;
}

/** A program that carries attempts out, as it introduces itself. */
export interface WorkerCard {
  /** Unique in the project, such as `box-2`. */
  readonly name: string;
  /** Host and process, in words. */
  readonly at: string;
  /** Version of Troupe. */
  readonly version: string;
  readonly slots: number;
  readonly labels: readonly string[];
  /** The clients that can be started there, by name. */
  readonly executors: readonly string[];
  /** The keys of those leaders that a person let run commands there. */
  readonly leaders: readonly string[];
}

/** How a run stands at its worker. Moments in it are of the clock of the leader's store. */
export interface AttemptReport {
  readonly fact: RunFact;
  readonly listed: ListedRun;
}

/** How an attempt ended: what is known of its run, and where its work was published. */
export interface AttemptEnd extends AttemptReport {
  /** Undefined for a run without a worktree, and where handing its work over failed: `unpublished` says why. */
  readonly publication: Publication | undefined;
  readonly unpublished: string | undefined;
}

/** Bytes of what is kept of a run: of its output, of the events of its client, or of what it was told. */
export interface RunPiece {
  readonly of: 'output' | 'events' | 'prompt';
  /** How many bytes come before it: what is kept already is not kept twice. */
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** What the leader wants of a run that is at work. */
export interface AttemptWish {
  readonly run: string;
  readonly fence: number;
  /** It is to end. */
  readonly end?: EndReason;
  /** It may use that much from now on: a `SealedLimit`. */
  readonly limit?: SealedText;
}

/** What a run may use, as it is signed. */
export interface SealedLimit {
  readonly run: string;
  readonly fence: number;
  readonly limit: SpendLimit;
}

/** What a worker learns with each heartbeat. */
export interface BeatAnswer {
  readonly wishes: readonly AttemptWish[];
  /** Runs that are no longer this worker's: whatever they do is refused. */
  readonly lost: readonly string[];
  /** `drain`: nothing new is to be taken; `stop`: runs are to be ended as well. */
  readonly asked: 'work' | 'drain' | 'stop';
  /** Who leads at the moment; undefined where nobody does. */
  readonly leader: LeaderCard | undefined;
  /** The clock of the leader's store, in milliseconds. */
  readonly now: number;
}

/**
 * Where a worker gets its attempts and says how they stand. It is believed as long as its heartbeats come; an attempt that is no longer its
 * own is refused everywhere. Errors: those of the database, `not_found` for a worker that was removed, or whose name another process has:
 * its runs are not its own any more, and it may arrive again.
 */
export interface WorkerDesk {
  /** That of the leader's store, as near as the answers tell. */
  readonly clock: Clock;
  /** Machines that lead, led or stand by, whoever leads first. Needs no arrival. */
  leaders(): Promise<readonly PublishedLeader[]>;
  /**
   * Introduces the worker, or introduces it again after it was gone. `worker_exists` while another process works under its name: one that was
   * killed counts as there until its lease is over. What that one had taken is this one's, and lost unless the first `beat` reports it.
   */
  arrive(card: WorkerCard): Promise<void>;
  /** Takes up to `most` attempts that it can carry out, of leaders it knows, oldest first: nobody else gets them. */
  take(most: number): Promise<readonly HandedOrder[]>;
  beat(reports: readonly AttemptReport[]): Promise<BeatAnswer>;
  /** Appends to what is kept of a run, in pieces of any size. Answers false where no more is kept. */
  append(run: string, fence: number, piece: RunPiece): Promise<boolean>;
  /** `refused`: the attempt is no longer this worker's; nothing was changed. The same end told twice is taken once. */
  end(end: AttemptEnd): Promise<'taken' | 'refused'>;
  /**
   * Says a line that a run of this worker says at its door, without what proves it: who asks is known by the run. Answers the line that the
   * leader's own door would answer, `{"ok":true,…}` or `{"ok":false,"error":…}`.
   */
  ask(run: string, fence: number, line: string): Promise<string>;
  /** Calls back when there may be something to take, or to hear, and now and then all the same; answers how to stop that. */
  onNews(listener: () => void): () => void;
  /** The worker goes: whatever it had taken and not ended is lost. Nothing can be asked of the desk after that. */
  leave(): Promise<void>;
}
