import type { RunFact } from '#core/coordinator/snapshot.js';
import type { MailRight } from '#core/mail/conversation.js';
import type { Usage } from '#core/runs/event.js';
import type { ListedRun } from '#ports/run-host.js';

/** Who a run is, as the coordinator wrote it down before it began. */
export interface RunIdentity {
  readonly taskId: string;
  readonly fence: number;
  readonly mail: MailRight;
  /** Of the token that only the run itself knows; runs of earlier versions have none. */
  readonly tokenHash?: string;
  /** Of the worktree it works in; `folder` is the project within it. */
  readonly tree?: { readonly branch: string; readonly folder: string };
}

/** How a run of a client can be gone on with. */
export interface RunSession {
  readonly id: string;
  readonly executor: string;
  /** Where the client worked: most look for their sessions by that. */
  readonly folder: string;
  /** The model did something in it. */
  readonly progressed: boolean;
  /** What the session had used in all, as far as that is known. */
  readonly before?: Usage;
}

/** A run that is at work, as far as can be told from here. */
export interface RunAtWork {
  readonly id: string;
  /** Of the process it began with; undefined where its pid means nothing here. */
  readonly process?: { readonly pid: number; readonly start: string };
}

export interface RunPart {
  readonly text: string;
  /** Where what comes after it begins. */
  readonly next: number;
  /** Bytes there are in all. */
  readonly size: number;
}

/** What a run left on disk, as facts; nothing here decides. */
export interface RunFolders {
  /**
   * Of what a run printed (`output`) or of what its client did (`events`, a JSON line each): the last `most` bytes, or whole
   * lines from the byte `from` on, at most so many. Without secrets; undefined when there is no such run, or no such file.
   */
  part(runId: string, of: 'output' | 'events', range: { from?: number; most: number }): Promise<RunPart | undefined>;
  /** What the run was told, at most `maxBytes` of it; undefined when nothing is kept of it. */
  prompt(runId: string, maxBytes: number): Promise<string | undefined>;
  /** Undefined when there is no such run. */
  identity(runId: string): Promise<RunIdentity | undefined>;
  /** Keeps what a run wanted to write when it no longer held its task. Never fails, and keeps no more than has a bound. */
  keepRefused(runId: string, refused: Readonly<Record<string, unknown>>): Promise<void>;
  /** The session its client was in; undefined when none is known, and for a command. */
  session(runId: string): Promise<RunSession | undefined>;
  /** Is the process of a run there? `ended`: it wrote down how it ended. `gone`: neither. */
  state(runId: string): Promise<'at-work' | 'ended' | 'gone'>;
  /** The facts of a run that wrote down how it ended; undefined while it has not, and when it never could. */
  ended(runId: string): Promise<RunFact | undefined>;
  /** Once a run is settled: ends what it left running, and takes secrets out of what its command printed. */
  tidy(runId: string): Promise<void>;
  /** Runs at work and those that ended lately, as the registry has them and the processes say. */
  listed(): Promise<readonly ListedRun[]>;
  /** The runs that are at work: those whose processes are seen here, and those whose processes cannot be. */
  atWork(): Promise<readonly RunAtWork[]>;
  /** The folders a run may write to: its own, and its worktree where it has one. */
  places(runId: string): Promise<readonly string[]>;
  /** The run whose folder this is, by its path; undefined when it is none of this project's. */
  named(folder: string): string | undefined;
  /** Tells a run to end when no coordinator is there to do so; with `force` harder after a while. False when it is not at work. */
  end(runId: string, force: boolean): Promise<boolean>;
}
