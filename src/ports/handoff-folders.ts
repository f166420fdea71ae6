import type { GateRecord } from '#core/formations/gate-record.js';
import type { HandoffFiles } from '#core/formations/handoffs.js';

/** The runs of crews below one folder. Whoever wrote the files is not to be trusted; no link is followed: `unsafe_path`. */
export interface CrewRuns {
  /** Absolute path of the folder that holds `.claude/dev-crew/runs`, or the coordinator's records of runs. */
  readonly top: string;
  /** The runs that the coordinator has at work, and those with a folder of which it keeps nothing and that are not in the log of those over; sorted. */
  active(): Promise<readonly string[]>;
  /** What lies in the folder of a run under these names; what cannot be read is a problem and no error. */
  files(run: string, names: readonly string[]): Promise<HandoffFiles>;
  /** What is kept of a run beside its files; of one that nothing is kept of, the usual line. */
  record(run: string): Promise<GateRecord>;
  /** The text of `.claude/roles/crew.md`; undefined where there is none. */
  crewRoles(): Promise<string | undefined>;
  /** The texts of all files of `.claude/roles/`, by their paths in the project; those that cannot be read are left out. */
  roles(): Promise<ReadonlyMap<string, string>>;
  /** Those of these paths that are plain files of the folder. */
  present(paths: readonly string[]): Promise<readonly string[]>;
  /** The run, one of these, that a session of a client is known to belong to. */
  runOf(session: string, runs: readonly string[]): Promise<string | undefined>;
  /** Remembers it. */
  keepSession(session: string, run: string): Promise<void>;
}

/** Finds them. Makes nothing. */
export interface HandoffFolders {
  /** Those of the nearest folder, this one or above, that has any; undefined where none has. */
  around(folder: string): Promise<CrewRuns | undefined>;
}
