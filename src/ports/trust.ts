import type { CommandTrust } from '#core/graph/commands.js';
import type { LeaderCard } from './leader-seal.js';

/** What a person let run in a project, and when. */
export interface TrustGrant {
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
  read(): Promise<TrustGrant | undefined>;
  /** Does a record speak of another folder, or another repository, that lay at this path? */
  isOfAnother(): Promise<boolean>;
  give(trusted: TrustGrant): Promise<void>;
  /** False when there was none. */
  withdraw(): Promise<boolean>;
}

/** What a person agreed to: a file with exactly this content. */
export interface TrustedExecutor {
  readonly sha256: string;
  /** RFC 3339. */
  readonly at: string;
}

/**
 * Which custom executors of one project this machine may run. Kept outside every repository, and by content: a file that
 * changed is another one. Errors of changing it: `read_only`, `disk_full`, `locked`.
 */
export interface ExecutorTrust {
  /** By name. Empty when the record is missing or cannot be understood. */
  all(): Promise<ReadonlyMap<string, TrustedExecutor>>;
  give(name: string, trusted: TrustedExecutor): Promise<void>;
  /** False when there was none. */
  withdraw(name: string): Promise<boolean>;
}

/**
 * The commands of one project that this person has agreed to, by their hashes, kept outside of every repository. In memory
 * once it was looked at; `add` is written down before it returns, so that what is committed after it is agreed to.
 */
export interface TrustedCommands extends CommandTrust {
  /** Takes in what other processes have added or withdrawn since. */
  look(): void;
  /** What cannot be written down counts as long as this process lives. */
  add(hashes: readonly string[]): void;
  /** Agrees to nothing any more. Errors as of changing trust. */
  clear(): void;
}

/** A leader that may run commands here: by the key alone, whatever it was called when that was agreed to. */
export type AgreedLeader = LeaderCard;

/**
 * Which leaders of a project in a database, as people read its place, a person lets run commands in this folder. Kept outside every
 * repository. Errors of changing it: `read_only`, `disk_full`, `locked`.
 */
export interface WorkerAgreement {
  /** Undefined where nobody was asked yet. */
  leaders(database: string): readonly AgreedLeader[] | undefined;
  /** Also with no leader: somebody knows what a worker means. */
  give(database: string, added: readonly LeaderCard[]): Promise<void>;
  /** False where that key was not agreed to. */
  withdraw(database: string, key: string): Promise<boolean>;
}
