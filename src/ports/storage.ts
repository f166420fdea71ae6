import type { StoreKind } from './graph-store.js';
import type { PublishedLeader } from './leader-seal.js';
import type { WorkerCard } from './worker-gateway.js';

/** A row of a table beside the graph, as stored. */
export interface KeptRow {
  readonly table: string;
  readonly values: Readonly<Record<string, string | number | null | Uint8Array>>;
}

/** `empty`: created and never used. `retired`: the project was moved elsewhere; writes are rejected. */
export type StorageState = 'none' | 'empty' | 'in-use' | 'retired';

/** A place where a project can be stored, with all its stored data. */
export interface Storage {
  /** Description for people, without secrets. */
  readonly words: string;
  state(): Promise<StorageState>;
  readonly graph: StoreKind;
  /** Ids of runs that workers have, or whose ends are not settled; empty for a place without workers. */
  runsElsewhere(): Promise<readonly string[]>;
  /**
   * All rows of the tables of teams, messages and memory, in a stable order of tables and rows. No process may write
   * meanwhile.
   */
  rows(): AsyncIterable<KeptRow>;
  /**
   * Imports a whole project into a prepared place that holds none, all or nothing. Errors: `store_not_empty`,
   * `corrupt`.
   */
  receive(project: { readonly lines: AsyncIterable<string>; readonly rows: AsyncIterable<KeptRow> }): Promise<void>;
  /**
   * Prepares the place for a project: creates missing parts and removes the remains of a retired project. Does not
   * change a project in use.
   */
  prepare(): Promise<void>;
}

/** Database that a person chose for a project on this machine. */
export interface ChosenDatabase {
  /** Name of the project in the database. */
  readonly project: string;
  /** Address including its secrets; undefined to take the one in the environment. */
  readonly address?: string;
}

/**
 * Choice of the database for a project on this machine. A repository can only name the project in a database; the
 * person on this machine must agree that its commands go there, because another of their projects may have that name.
 */
export interface DatabaseChoice {
  /** Undefined if none was chosen for the present folder at this path. */
  read(): ChosenDatabase | undefined;
  choose(chosen: ChosenDatabase): Promise<void>;
  forget(): Promise<void>;
}

/**
 * Reason why a project in a database is read-only through an address: the server is a replica, the server rejects
 * writes, or the login may only read.
 */
export interface ReadOnlyCause {
  readonly by: 'replica' | 'server' | 'login';
  /**
   * Age of the newest commit that a replica has received, in milliseconds; later changes are not visible. Undefined if
   * the replica has received none since its start, and if no replica is read.
   */
  readonly ageMs: number | undefined;
}

/** State of a project in its database. */
export interface DatabaseStatus {
  /** Host, port and name of the database. */
  readonly place: string;
  /** Version of the server, for example `15.8`. */
  readonly server: string;
  readonly state: StorageState;
  /** Whether the tables exist with the schema of this version; `migrate` upgrades `older` ones. */
  readonly tables: 'none' | 'older' | 'current';
  /** `seq` of the last entry. */
  readonly seq: number;
  /** Epoch of the present leadership: its number among all so far. */
  readonly epoch: number;
  /** Present leader; undefined if there is none. */
  readonly leader: string | undefined;
  /** Undefined if the project can be changed through this address. */
  readonly reading: ReadOnlyCause | undefined;
}

/** A worker as it last announced itself, and the request to it. */
export interface ListedWorker extends WorkerCard {
  /** Last heartbeat, in milliseconds by the clock of the database. */
  readonly seenAt: number;
  /** Whether its lease has expired. */
  readonly silent: boolean;
  /** Whether it does not know the key of the present leader and therefore takes no attempts. */
  readonly unagreed: boolean;
  readonly asked: 'work' | 'drain' | 'stop';
  /** Attempts that it has taken and not ended. */
  readonly attempts: readonly { readonly run: string; readonly taskId: string }[];
}

/**
 * Results that were refused because the attempts no longer belonged to the worker that reported them. They changed
 * nothing.
 */
export interface RefusedResults {
  readonly total: number;
  /** Latest first; `at` in milliseconds by the clock of the database. */
  readonly latest: readonly {
    readonly run: string;
    readonly at: number;
    readonly taskId?: string;
    readonly worker?: string;
  }[];
}

/** Leader, standbys and workers of a project at one moment. */
export interface ProjectMachines {
  readonly standing: DatabaseStatus;
  /** Services that take over when the leader is gone, for people. */
  readonly standbys: readonly string[];
  /** Sorted by name. */
  readonly workers: readonly ListedWorker[];
  readonly refused: RefusedResults;
  /** Moment of this state, in milliseconds by the clock of the database. */
  readonly now: number;
}

export interface MigratedTables {
  /** Names of the applied migration steps. */
  readonly steps: readonly string[];
  /** Roles that do not exist because this login may not create them; then only the owner of the tables can log in. */
  readonly missingRoles: readonly string[];
}

export interface DatabaseStorage extends Storage {
  /** All workers, sorted by name. */
  workers(): Promise<readonly ListedWorker[]>;
  /** All machines, and the latest refused results, at most `latestRefused`. */
  machines(latestRefused: number): Promise<ProjectMachines>;
  /** Machines that lead, led or stand by, the present leader first, and whether each is this machine. */
  leaders(): Promise<readonly (PublishedLeader & { readonly here: boolean })[]>;
  /**
   * Passes a request to a worker with its next heartbeat; a silent worker that is to stop is removed instead. False if
   * there is no such worker.
   */
  askWorker(name: string, asked: 'drain' | 'stop'): Promise<boolean>;
  standing(): Promise<DatabaseStatus>;
  /**
   * Creates the tables, or upgrades them to this version, and grants the roles their permissions. Data in the tables
   * stays.
   */
  migrate(): Promise<MigratedTables>;
  /** SQL for an administrator that creates the roles and the schema, if the login of this address may not. */
  rolesSql(): string;
}

/** Present place of a project's storage, and the other possible ones. */
export interface Storages {
  /** Name of the project in the database, from the settings; undefined if the project is stored in files. */
  readonly named: string | undefined;
  readonly choice: DatabaseChoice;
  readonly files: Storage;
  /** Does not connect yet. Errors: `database_not_chosen` if there is no address, `bad_input` for an invalid one. */
  database(chosen: ChosenDatabase): Promise<DatabaseStorage>;
}
