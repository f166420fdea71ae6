import type { RunFact } from '#core/coordinator/snapshot.js';
import type { MailRight } from '#core/mail/conversation.js';
import type { Usage } from '#core/runs/event.js';
import type { ListedRun } from '#ports/run-host.js';

/** Identity of a run, as the coordinator recorded it before the start. */
export interface RunIdentity {
  readonly taskId: string;
  readonly fence: number;
  readonly mail: MailRight;
  /** Hash of the token that only the run itself knows; undefined for runs of earlier versions. */
  readonly tokenHash?: string;
  /** Worktree of the run; `folder` is the project within it. */
  readonly tree?: { readonly branch: string; readonly folder: string };
}

/** Session of a client that another run can resume. */
export interface RunSession {
  readonly id: string;
  readonly executor: string;
  /** Working directory of the client. Most clients find their sessions by it. */
  readonly folder: string;
  /** Whether the model did something in it. */
  readonly progressed: boolean;
  /** Usage of the whole session before this run, as far as known. */
  readonly before?: Usage;
}

/** An active run, as far as this process can determine. */
export interface RunAtWork {
  readonly id: string;
  /** First process of the run; undefined if its pid belongs to another namespace. */
  readonly process?: { readonly pid: number; readonly start: string };
}

export interface RunPart {
  readonly text: string;
  /** Position of the following part. */
  readonly next: number;
  /** Size of the whole file, in bytes. */
  readonly size: number;
}

/** Files of runs on disk, as facts: no decisions are made here. */
export interface RunFolders {
  /**
   * Part of a run's output, or of its client's `events` (one JSON line each): the last `most` bytes, or whole lines
   * from byte `from` on, at most `most` bytes. Secrets are removed. Undefined if there is no such run or file.
   */
  part(runId: string, of: 'output' | 'events', range: { from?: number; most: number }): Promise<RunPart | undefined>;
  /** Prompt of a run, at most `maxBytes` of it; undefined if it is not stored. */
  prompt(runId: string, maxBytes: number): Promise<string | undefined>;
  /** Undefined if there is no such run. */
  identity(runId: string): Promise<RunIdentity | undefined>;
  /**
   * Stores a write that was refused because the run no longer held its task. Never throws; stores at most a bounded
   * number of bytes.
   */
  keepRefused(runId: string, refused: Readonly<Record<string, unknown>>): Promise<void>;
  /** Session of the run's client; undefined if unknown, and for a run of a command. */
  session(runId: string): Promise<RunSession | undefined>;
  /** `at-work`: its process exists. `ended`: it recorded its end. `gone`: neither. */
  state(runId: string): Promise<'at-work' | 'ended' | 'gone'>;
  /** Facts of a run that recorded its end; undefined if it has not, or never could. */
  ended(runId: string): Promise<RunFact | undefined>;
  /** Cleans up after a settled run: ends its remaining processes and removes secrets from the output of its command. */
  tidy(runId: string): Promise<void>;
  /** Active and recently ended runs, from the registry, with their state updated from the processes. */
  listed(): Promise<readonly ListedRun[]>;
  /** Active runs: those whose processes are visible here, and those whose processes cannot be seen. */
  atWork(): Promise<readonly RunAtWork[]>;
  /** Folders that a run may write to: its own, and its worktree if it has one. */
  places(runId: string): Promise<readonly string[]>;
  /** Run of a folder, by its path; undefined if it is not a run folder of this project. */
  named(folder: string): string | undefined;
  /**
   * Asks a run to end, while there is no coordinator to do so; with `force`, kills it after a grace period. False if it
   * is not active.
   */
  end(runId: string, force: boolean): Promise<boolean>;
}
