import type { TroupeError } from '#kernel/errors.js';

/** A definition as stored in the project, with the hash of exactly those bytes. It may be untrusted. */
export interface ExecutorFile {
  readonly name: string;
  /** Path relative to the project. */
  readonly file: string;
  readonly sha256: string;
  /** Data of the file, to be validated by `customDefinition`. */
  readonly value: unknown;
}

export type ListedExecutor =
  | ExecutorFile
  | { readonly name: string; readonly file: string; readonly error: TroupeError };

/**
 * Custom executors of one project: `.workgraph/executors/NAME.toml`. Nothing is cached: each read sees the present
 * file. Errors: `bad_executor` with file and line, `unsafe_path` for a link, `too_large`, `unreadable`.
 */
export interface ExecutorFiles {
  /** All definitions, sorted by name; a file that cannot be read is listed with its error. */
  list(): Promise<ListedExecutor[]>;
  /** Undefined if there is no executor of this name. */
  read(name: string): Promise<ExecutorFile | undefined>;
}
