import type { AgencyRecord } from '#core/agency/read.js';
import type { JsonObject } from '#kernel/json.js';
import type { AgencyFiles } from './agency.js';

/** Where another agency is. */
export interface RemotePlace {
  /** A project, whose own program changes it; or an agency on its own. */
  readonly kind: 'project' | 'folder';
  /** Absolute path of the project, or of the folder. */
  readonly path: string;
}

export interface RemoteContents {
  readonly records: readonly AgencyRecord[];
  /** By the names of their files. */
  readonly evaluations: ReadonlyMap<string, JsonObject>;
  /** What could not be read: file, line and why. */
  readonly warnings: readonly string[];
}

/**
 * Agencies of other projects on this machine. They are foreign: bounded, never followed through a link, and read whole or
 * not at all. Errors: `unreadable`, `too_large`, `unsafe_path`.
 */
export interface AgencyRemotes {
  /** What is at an absolute path: a project, its `.workgraph`, or an agency folder. */
  locate(path: string): Promise<RemotePlace>;
  read(place: RemotePlace): Promise<RemoteContents>;
  /** Calls an operation of that project, for a person there, and answers what it answers. */
  call(folder: string, person: string, operation: string, input: JsonObject): Promise<unknown>;
  /** An agency on its own, to be changed. */
  files(place: RemotePlace): Promise<AgencyFiles>;
}
