/** What a person let run in a project, and when. */
export interface Trusted {
  /** RFC 3339. */
  readonly at: string;
  /** How many tasks held commands then, and the fingerprint of all of them. */
  readonly commands: number;
  readonly sha256: string;
  /** The fingerprint of the settings that say where messages and secrets go; undefined when there were none. */
  readonly settings?: string;
}

/**
 * Whether this machine may run the commands of one project's graph. Kept outside every repository, so that none can
 * bring its own. Errors of changing it: `read_only`, `disk_full`, `locked`.
 */
export interface ProjectTrust {
  /** Undefined when nobody on this machine has trusted this folder yet, and when the record cannot be understood. */
  read(): Promise<Trusted | undefined>;
  /** Does a record speak of another folder, or another repository, that lay at this path? */
  isOfAnother(): Promise<boolean>;
  give(trusted: Trusted): Promise<void>;
  /** False when there was none. */
  withdraw(): Promise<boolean>;
}
