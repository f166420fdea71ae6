import type { CatalogFile } from '#core/catalog/catalog-file.js';
import type { FileContent } from '#core/workflows/function-values.js';
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

/** A function file read as data, not yet looked at. `name` is what it is called in errors. */
export interface FunctionFile {
  readonly name: string;
  readonly value: unknown;
}

/** A file of the folder: its data, or the error it was read with. */
export type ListedFile = { readonly id: string } & (
  | { readonly file: FunctionFile; readonly error?: undefined }
  | { readonly error: unknown; readonly file?: undefined }
);

/**
 * Function files: those of the project, in `.workgraph/functions/`, and those named from elsewhere. They are foreign text:
 * bounded, without aliases and tags, never reached through a link. Errors: `unknown_function`, `function_invalid`,
 * `function_exists`, `unsafe_path`, `not_found`, `too_large`, `unreadable`, `read_only`, `disk_full`.
 */
export interface FunctionFiles {
  /** Every file of the project, by id. */
  list(): Promise<readonly ListedFile[]>;
  /** A file of the project. */
  read(id: string): Promise<FunctionFile>;
  /**
   * A file from elsewhere: `from` is an absolute path of a function file, or of the folder of another project, which may
   * end in `:ID`; there `id` says which function. `inside`: nothing outside this project may be read.
   */
  readFrom(from: string, id: string | undefined, inside: boolean): Promise<FunctionFile>;
  /** The text of a function file from elsewhere, as data. */
  parse(text: string, name: string): Promise<FunctionFile>;
  /** Writes a function, whole or not at all; answers where, from the top of the project. `output` is relative to it. */
  write(
    id: string,
    value: unknown,
    options: { readonly force: boolean; readonly output?: string | undefined },
  ): Promise<string>;
  /** A file with values for inputs, as data: YAML or JSON. */
  readValues(file: string, inside: boolean): Promise<unknown>;
  /** The text of a file of the project; a problem rather than an error, so that all of them can be said at once. */
  readContent(file: string): Promise<FileContent>;
}
