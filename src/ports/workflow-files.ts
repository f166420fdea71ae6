import type { CatalogFile } from '#core/catalog/catalog-file.js';
import type { TroupeError } from '#kernel/errors.js';

/** A file of the project, read as data and not yet looked at. Nobody may have trusted it. */
export interface ProjectEntry {
  readonly id: string;
  readonly file: CatalogFile;
  /** Of what it says: another order of keys is another file, other spacing is not. */
  readonly sha256: string;
  /** When the file was written, in milliseconds. */
  readonly changedAt: number;
}

export type ListedEntry = ProjectEntry | { readonly id: string; readonly file: string; readonly error: TroupeError };

export const PROJECT_KINDS = ['workflows', 'review-policies'] as const;
export type ProjectKind = (typeof PROJECT_KINDS)[number];

/**
 * Workflows and review policies that a project brings along, in `.squad/`, and in `.agentweaver/`, which is read only.
 * Errors: `catalog_invalid` with file and line, `unsafe_path` for a link, `unreadable`.
 */
export interface WorkflowFiles {
  /** Changes when a file of this kind does; empty while there is none. Asked often: it waits for nothing and reads nothing. */
  stamp(kind: ProjectKind): string;
  /** By id; what cannot be read stands there with its error. */
  list(kind: ProjectKind): Promise<ListedEntry[]>;
  /** Undefined when there is none of this id. */
  read(kind: ProjectKind, id: string): Promise<ProjectEntry | undefined>;
}
