import type { AgencyRecord } from '#core/agency/read.js';
import type { GitPlace } from '#core/agency/remote-address.js';
import type { JsonObject } from '#kernel/json.js';
import type { AgencyFiles } from './agency.js';

/** Where another agency is. */
export type RemotePlace =
  | {
      /** A project, whose own program changes it; or an agency on its own. */
      readonly kind: 'project' | 'folder';
      /** Absolute path of the project, or of the folder. */
      readonly path: string;
    }
  | {
      readonly kind: 'git';
      /** The address of the repository. */
      readonly path: string;
      readonly at: GitPlace;
      /** The branch the agency is on. */
      readonly branch: string;
      /** The branch of everything else; undefined: the one the repository begins with. */
      readonly project: string | undefined;
    };

/** Evaluations elsewhere. Each is parsed only where somebody asks for it: most of them lie here already. */
export interface RemoteEvaluations {
  /** What stands in their files, by the names of these, which are their ids. */
  readonly texts: ReadonlyMap<string, string>;
  /** Their records, but for the ids in `except`, which are not parsed. `too_large` for too much in words that take long to read. */
  records(except: ReadonlySet<string>): Promise<EvaluationRecords>;
}

export interface EvaluationRecords {
  readonly records: ReadonlyMap<string, JsonObject>;
  /** What could not be understood: which, and why. */
  readonly warnings: readonly string[];
}

export interface RemoteContents {
  readonly records: readonly AgencyRecord[];
  readonly evaluations: RemoteEvaluations;
  /** What could not be read: file, line and why. */
  readonly warnings: readonly string[];
  /** The commit that was read; a folder has none. */
  readonly commit: string | undefined;
}

/** An agency that no program of its own looks after, to be changed. */
export interface RemoteFiles extends Pick<AgencyFiles, 'read' | 'change'> {
  /** Those that are beside what `read` or `change` saw last. */
  evaluations(): Promise<ReadonlyMap<string, JsonObject>>;
  /** The commit it is at by now; a folder has none. */
  commit(): string | undefined;
}

/**
 * Agencies of other projects, on this machine or in repositories that git can reach. They are foreign: bounded, never
 * followed through a link, and read whole or not at all. Errors: `unreadable`, `too_large`, `unsafe_path`, `bad_input`, and of
 * repositories `remote_unreachable`, `remote_moved`.
 */
export interface AgencyRemotes {
  /**
   * What is at an absolute path or an address: a project, its `.workgraph`, an agency folder, or a git repository. With a
   * branch it is a repository. No other machine is asked.
   */
  locate(path: string, branch: string | undefined): Promise<RemotePlace>;
  read(place: RemotePlace): Promise<RemoteContents>;
  /** Does what is there now come from this commit? Always so for a folder, which knows of no past. */
  holds(place: RemotePlace, commit: string): Promise<boolean>;
  /** Calls an operation of that project, for a person there, and answers what it answers. */
  call(folder: string, person: string, operation: string, input: JsonObject): Promise<unknown>;
  files(place: RemotePlace): Promise<RemoteFiles>;
  /** The project there, of which a repository is looked at once. */
  project(place: RemotePlace): Promise<RemoteProject>;
}

/** Files of a project elsewhere, by their paths from its top. */
export interface RemoteProject {
  /** The names of what is in a folder; nothing where there is none. */
  names(folder: string): Promise<readonly string[]>;
  /** The text of a file, its size when that is more than `most` bytes; undefined where there is none. */
  text(file: string, most: number): Promise<string | number | undefined>;
}
