import type { GateRecord } from '#core/playbooks/gate-record.js';
import type { HandoffFiles } from '#core/playbooks/handoffs.js';

/** Crew runs below one folder. Their files are untrusted. Errors: `unsafe_path` for a link, `too_large`. */
export interface CrewRuns {
  /** Absolute path of the folder that contains `.claude/dev-crew/runs` or the coordinator's records of runs. */
  readonly top: string;
  /**
   * Runs that the coordinator records as running, and runs that have a folder but no record and are not in the log of
   * finished ones; sorted.
   */
  active(): Promise<readonly string[]>;
  /** Files of these names in the folder of a run; an unreadable one is returned as a problem, not thrown. */
  files(run: string, names: readonly string[]): Promise<HandoffFiles>;
  /** The coordinator's record of a run; without one, `NO_GATE_RECORD`. */
  record(run: string): Promise<GateRecord>;
  /** Text of `.claude/roles/crew.md`; undefined if it does not exist. */
  crewRoles(): Promise<string | undefined>;
  /** Texts of all files of `.claude/roles/`, by their paths in the project; unreadable ones are left out. */
  roles(): Promise<ReadonlyMap<string, string>>;
  /** Returns the paths that are regular files of the folder. */
  present(paths: readonly string[]): Promise<readonly string[]>;
  /** The first of these runs that a client session is recorded for. */
  runOf(session: string, runs: readonly string[]): Promise<string | undefined>;
  /** Records that a client session belongs to a run. Does nothing if the run has no folder. */
  keepSession(session: string, run: string): Promise<void>;
}

/** Finds crew runs. Creates nothing. */
export interface HandoffFolders {
  /** Crew runs of the nearest folder, this one or an ancestor, that has any; undefined if none has. */
  around(folder: string): Promise<CrewRuns | undefined>;
}
