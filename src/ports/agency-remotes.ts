import type { AgencyRecord } from '#core/agency/read.js';
import type { GitPlace } from '#core/agency/remote-address.js';
import type { JsonObject } from '#kernel/json.js';
import type { AgencyFiles } from './agency.js';

/** Location of another agency. */
export type RemotePlace =
  | {
      /** `project`: its own program changes it. `folder`: an agency without a project. */
      readonly kind: 'project' | 'folder';
      /** Absolute path of the project or folder. */
      readonly path: string;
    }
  | {
      readonly kind: 'git';
      /** Address of the repository. */
      readonly path: string;
      readonly at: GitPlace;
      /** Branch that holds the agency. */
      readonly branch: string;
      /** Branch that holds the rest of the project; undefined for the default branch of the repository. */
      readonly project: string | undefined;
    };

/** Evaluations of another agency. They are parsed on demand, because most of them are already stored here. */
export interface RemoteEvaluations {
  /** Texts of their files, by file name, which is the id. */
  readonly texts: ReadonlyMap<string, string>;
  /**
   * Parsed records without those whose ids are in `except`. Errors: `too_large` if parsing them would take too long.
   */
  records(except: ReadonlySet<string>): Promise<EvaluationRecords>;
}

export interface EvaluationRecords {
  readonly records: ReadonlyMap<string, JsonObject>;
  /** One message per record that could not be parsed: which one and why. */
  readonly warnings: readonly string[];
}

export interface RemoteContents {
  readonly records: readonly AgencyRecord[];
  readonly evaluations: RemoteEvaluations;
  /** One message per file that could not be read: file, line, reason. */
  readonly warnings: readonly string[];
  /** The commit that was read; undefined for a folder. */
  readonly commit: string | undefined;
}

/** An agency that no program of its own manages, opened for changes. */
export interface RemoteFiles extends Pick<AgencyFiles, 'read' | 'change'> {
  /** Evaluations; in a git repository, as of the last `read` or `change`. */
  evaluations(): Promise<ReadonlyMap<string, JsonObject>>;
  /** Its present commit; undefined for a folder. */
  commit(): string | undefined;
}

/**
 * Agencies of other projects, on this machine or in repositories that git can reach. They are untrusted: sizes are
 * bounded, links are not followed, and an agency is read as a whole or not at all. Errors: `unreadable`, `too_large`,
 * `unsafe_path`, `bad_input`; for repositories also `remote_unreachable`, `remote_moved`.
 */
export interface AgencyRemotes {
  /**
   * Resolves an absolute path or an address to a project, its `.workgraph`, an agency folder, or a git repository. With
   * a branch it is a repository. Contacts no other machine.
   */
  locate(path: string, branch: string | undefined): Promise<RemotePlace>;
  read(place: RemotePlace): Promise<RemoteContents>;
  /** Whether the present state descends from this commit. Always true for a folder, which has no history. */
  holds(place: RemotePlace, commit: string): Promise<boolean>;
  /** Calls an operation of that project as one of its people and returns its result. */
  call(folder: string, person: string, operation: string, input: JsonObject): Promise<unknown>;
  files(place: RemotePlace): Promise<RemoteFiles>;
  /** Files of the project there. A repository is read once. */
  project(place: RemotePlace): Promise<RemoteProject>;
}

/** Files of another project, by their paths relative to its top folder. */
export interface RemoteProject {
  /** Names of the entries of a folder; empty if it does not exist. */
  names(folder: string): Promise<readonly string[]>;
  /** Text of a file, or its size if that is more than `most` bytes; undefined if it does not exist. */
  text(file: string, most: number): Promise<string | number | undefined>;
}
