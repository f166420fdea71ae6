import type { StoreKind } from './graph-store.js';
import type { PublishedLeader } from './leader-seal.js';
import type { WorkerCard } from './worker-desk.js';

/** A row of a table beside the graph, as it is kept. */
export interface KeptRow {
  readonly table: string;
  readonly values: Readonly<Record<string, string | number | null | Uint8Array>>;
}

/** `empty`: made, and never used. `retired`: the project was moved away from here, and nobody writes here any more. */
export type StorageState = 'none' | 'empty' | 'in-use' | 'retired';

/** One of the places where a project can be kept, with all that is kept there. */
export interface Storage {
  /** The place for people, without anything secret. */
  readonly words: string;
  state(): Promise<StorageState>;
  readonly graph: StoreKind;
  /** Runs that workers have, or whose ends nobody has settled yet; none where no workers are. */
  runsElsewhere(): Promise<readonly string[]>;
  /** Every row of the tables of teams, messages and memory; tables and rows in the same order each time. Nobody may write meanwhile. */
  rows(): AsyncIterable<KeptRow>;
  /** Takes a whole project into a place that is prepared and holds none: all of it or nothing. Errors: `store_not_empty`, `corrupt`. */
  receive(project: { readonly lines: AsyncIterable<string>; readonly rows: AsyncIterable<KeptRow> }): Promise<void>;
  /** Makes room for a project that is about to come: what is missing is made, what a retired one left is removed. Leaves one in use alone. */
  prepare(): Promise<void>;
}

/** A database that a person chose for a project on this machine. */
export interface ChosenDatabase {
  /** The name of the project in it. */
  readonly project: string;
  /** An address with all that is secret in it. Undefined: whatever the environment names. */
  readonly address?: string;
}

/**
 * Which database a project on this machine is kept in. A repository says under which name; that its commands go there is for the person
 * at this machine to say, as another project of theirs may have that name.
 */
export interface DatabaseChoice {
  /** Undefined where nobody chose one for the folder that lies there now. */
  read(): ChosenDatabase | undefined;
  choose(chosen: ChosenDatabase): Promise<void>;
  forget(): Promise<void>;
}

/** Why a project in a database can only be read through an address: the server is a replica, or lets nobody write, or the login may only look. */
export interface ReadingOnly {
  readonly by: 'replica' | 'server' | 'login';
  /**
   * How long ago the newest change was committed that a replica has received, in milliseconds: what came later is not in its picture.
   * Undefined where it received none since it began, and where no replica is read.
   */
  readonly ageMs: number | undefined;
}

/** How a project stands in its database. */
export interface DatabaseStanding {
  /** Host, port and name of the database. */
  readonly place: string;
  /** Version of the server, such as `15.8`. */
  readonly server: string;
  readonly state: StorageState;
  /** Whether its tables are as this version makes them; `older` ones are brought up by `migrate`. */
  readonly tables: 'none' | 'older' | 'current';
  /** `seq` of the last entry. */
  readonly seq: number;
  /** Number of the present leadership, and of all before it. */
  readonly epoch: number;
  /** Who writes at the moment; undefined while nobody leads. */
  readonly leader: string | undefined;
  /** Undefined where this address can change the project. */
  readonly reading: ReadingOnly | undefined;
}

/** A worker as it last said itself, with what is asked of it. */
export interface ListedWorker extends WorkerCard {
  /** Milliseconds, by the clock of the database. */
  readonly seenAt: number;
  /** Longer ago than it is believed. */
  readonly silent: boolean;
  /** Somebody leads whose key it does not know: it takes nothing. */
  readonly unagreed: boolean;
  readonly asked: 'work' | 'drain' | 'stop';
  /** What it has taken and not ended. */
  readonly attempts: readonly { readonly run: string; readonly taskId: string }[];
}

/** Results that came when their attempts were no longer those of whoever told them. They changed nothing. */
export interface RefusedEnds {
  readonly total: number;
  /** The latest first; `at` in milliseconds by the clock of the database. */
  readonly latest: readonly {
    readonly run: string;
    readonly at: number;
    readonly taskId?: string;
    readonly worker?: string;
  }[];
}

/** Who leads a project, who waits for that, and who works for it, at one moment. */
export interface ProjectMachines {
  readonly standing: DatabaseStanding;
  /** Services that take over when the leader is gone, in words. */
  readonly standbys: readonly string[];
  /** By name. */
  readonly workers: readonly ListedWorker[];
  readonly refused: RefusedEnds;
  /** That moment by the clock of the database, in milliseconds. */
  readonly now: number;
}

export interface MigratedTables {
  /** Names of the steps that were taken. */
  readonly steps: readonly string[];
  /** Roles that there are not, as this login may make none: whoever logs in has to be the owner of the tables. */
  readonly missingRoles: readonly string[];
}

export interface DatabaseStorage extends Storage {
  /** Every worker, by name. */
  workers(): Promise<readonly ListedWorker[]>;
  /** All machines, and up to so many results that came too late. */
  machines(latestRefused: number): Promise<ProjectMachines>;
  /** Machines that lead, led or stand by, whoever leads first; which of them this one is. */
  leaders(): Promise<readonly (PublishedLeader & { readonly here: boolean })[]>;
  /** Asks that of a worker with its next heartbeat; one that is silent is forgotten where it is to stop. False where there is none. */
  askWorker(name: string, asked: 'drain' | 'stop'): Promise<boolean>;
  standing(): Promise<DatabaseStanding>;
  /** Makes the tables, or brings them up to this version, and grants the roles their parts. What is in them stays. */
  migrate(): Promise<MigratedTables>;
  /** What an administrator runs so that there are roles, and the schema, where the login of this address may make none. */
  rolesSql(): string;
}

/** Where a project is kept and where else it could be. */
export interface Storages {
  /** The name in the database that the settings say; undefined where the project is kept in files. */
  readonly named: string | undefined;
  readonly choice: DatabaseChoice;
  readonly files: Storage;
  /** Opens nothing yet. Errors: `database_not_chosen` where there is no address, `bad_input` for one that is none. */
  database(chosen: ChosenDatabase): Promise<DatabaseStorage>;
}
