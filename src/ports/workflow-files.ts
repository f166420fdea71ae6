import type { CatalogFile } from '#core/catalog/catalog-file.js';
import type { FileContent } from '#core/playbooks/function-values.js';
import type { TroupeError } from '#kernel/errors.js';

/** A file of the project as unvalidated data. It may be untrusted. */
export interface ProjectEntry {
  readonly id: string;
  readonly file: CatalogFile;
  /** Hash of its data: it changes with the order of keys, not with spacing. */
  readonly sha256: string;
  /** Modification time of the file, in milliseconds. */
  readonly changedAt: number;
}

export type ListedEntry = ProjectEntry | { readonly id: string; readonly file: string; readonly error: TroupeError };

export const PROJECT_KINDS = ['workflows', 'review-policies'] as const;
export type ProjectKind = (typeof PROJECT_KINDS)[number];

/**
 * Workflows and review policies of a project, in `.squad/` and, read-only, in `.agentweaver/`; of one id, the file in
 * `.squad/` counts. Errors: `catalog_invalid` with file and line, `unsafe_path` for a link, `unreadable`.
 */
export interface WorkflowFiles {
  /**
   * Text that changes when a file of this kind does; empty while there is none. For polling: synchronous, reads no file
   * contents.
   */
  stamp(kind: ProjectKind): string;
  /** All entries, sorted by id; a file that cannot be read is listed with its error. */
  list(kind: ProjectKind): Promise<ListedEntry[]>;
  /** Undefined if there is none with this id. */
  read(kind: ProjectKind, id: string): Promise<ProjectEntry | undefined>;
}

/** A function file as unvalidated data. `name` identifies it in error messages. */
export interface FunctionFile {
  readonly name: string;
  readonly value: unknown;
}

/** A function file: its data, or the error of reading it. */
export type ListedFile = { readonly id: string } & (
  | { readonly file: FunctionFile; readonly error?: undefined }
  | { readonly error: unknown; readonly file?: undefined }
);

/**
 * Function files: those of the project, in `.workgraph/functions/`, and those named by a person. They are untrusted:
 * bounded in size, without aliases and tags; links are not followed. Errors: `unknown_function`, `function_invalid`,
 * `function_exists`, `unsafe_path`, `not_found`, `too_large`, `unreadable`, `read_only`, `disk_full`.
 */
export interface FunctionFiles {
  /** All files of the project, sorted by id. */
  list(): Promise<readonly ListedFile[]>;
  /** A function file of the project. */
  read(id: string): Promise<FunctionFile>;
  /**
   * A function file from elsewhere. `from`: absolute path of a function file, or of the folder of another project,
   * optionally followed by `:ID`; otherwise `id` names the function there. `inside`: reject paths outside of this
   * project. Errors: `usage` if no function of the project is named.
   */
  readFrom(from: string, id: string | undefined, inside: boolean): Promise<FunctionFile>;
  /** Parses the text of a function file from elsewhere. */
  parse(text: string, name: string): Promise<FunctionFile>;
  /**
   * Writes a function file atomically and returns its path relative to the top of the project. `output`: path to write
   * to, relative to the top of the project.
   */
  write(
    id: string,
    value: unknown,
    options: { readonly force: boolean; readonly output?: string | undefined },
  ): Promise<string>;
  /** Parses a file with values for inputs, in YAML or JSON. */
  readValues(file: string, inside: boolean): Promise<unknown>;
  /**
   * Text of a file of the project. Returns a problem instead of throwing, so that all problems can be reported at once.
   */
  readContent(file: string): Promise<FileContent>;
}
