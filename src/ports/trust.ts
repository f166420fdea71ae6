import type { CommandTrust } from '#core/graph/commands.js';
import type { LeaderCard } from './leader-seal.js';

/** Permission given by a person for the commands of a project. */
export interface TrustGrant {
  /** RFC 3339. */
  readonly at: string;
  /** Number of tasks with commands at that time, and the hash of all these commands. */
  readonly commands: number;
  readonly sha256: string;
  /** Hash of the settings that determine where messages and secrets go; undefined if there were none. */
  readonly settings?: string;
}

/**
 * Permission for this machine to run the commands of one project's graph. Stored outside of every repository, so that a
 * repository cannot grant it to itself. Errors of changes: `read_only`, `disk_full`, `locked`.
 */
export interface ProjectTrust {
  /**
   * Permission for this folder; undefined if it was never granted on this machine, or granted for another folder or
   * repository at this path, or cannot be parsed.
   */
  read(): Promise<TrustGrant | undefined>;
  /** Whether there is a permission for another folder or repository that was at this path. */
  isOfAnother(): Promise<boolean>;
  give(trusted: TrustGrant): Promise<void>;
  /** False if there was none. */
  withdraw(): Promise<boolean>;
}

/** Permission for a file with exactly this content. */
export interface TrustedExecutor {
  readonly sha256: string;
  /** RFC 3339. */
  readonly at: string;
}

/**
 * Custom executors of one project that this machine may run. Stored outside of every repository, and by content hash: a
 * changed file needs a new permission. Errors of changes: `read_only`, `disk_full`, `locked`.
 */
export interface ExecutorTrust {
  /** All permissions, by name of the executor; empty if the record is missing or cannot be parsed. */
  all(): Promise<ReadonlyMap<string, TrustedExecutor>>;
  give(name: string, trusted: TrustedExecutor): Promise<void>;
  /** False if there was none. */
  withdraw(name: string): Promise<boolean>;
}

/**
 * Commands of one project that this person trusts, by their hashes, stored outside of every repository and cached in
 * memory. `add` stores the hashes before it returns, so that commands committed after it are trusted.
 */
export interface TrustedCommands extends CommandTrust {
  /** Reloads the hashes if another process has changed them. */
  look(): void;
  /**
   * Adds hashes. If they cannot be stored, this process trusts them until it ends or reloads a changed file. Never
   * throws.
   */
  add(hashes: readonly string[]): void;
  /** Withdraws the trust in all commands. Errors: those of changes of trust. */
  clear(): void;
}

/** A leader that may run commands here. Only its key counts; name and host are those at the time of the agreement. */
export type AgreedLeader = LeaderCard;

/**
 * Leaders of a project in a database, identified by its address for people, that a person allows to run commands in
 * this folder. Stored outside of every repository, for one database per folder. Errors of changes: `read_only`,
 * `disk_full`, `locked`.
 */
export interface WorkerAgreement {
  /** Undefined if no agreement was recorded for this database. */
  leaders(database: string): readonly AgreedLeader[] | undefined;
  /**
   * Adds leaders. Without any leader it records that a person was asked and knows what a worker does. Replaces an
   * agreement for another database.
   */
  give(database: string, added: readonly LeaderCard[]): Promise<void>;
  /** False if this key was not agreed to. */
  withdraw(database: string, key: string): Promise<boolean>;
}
