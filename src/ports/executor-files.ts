import type { TroupeError } from '#kernel/errors.js';

/** A definition as it lies in the project, and the fingerprint of exactly those bytes. Nobody may have trusted it. */
export interface ExecutorFile {
  readonly name: string;
  /** Relative to the project. */
  readonly file: string;
  readonly sha256: string;
  /** The data of the file; `customDefinition` understands it. */
  readonly value: unknown;
}

export type ListedExecutor =
  | ExecutorFile
  | { readonly name: string; readonly file: string; readonly error: TroupeError };

/**
 * The custom executors of one project: `.workgraph/executors/NAME.toml`. Nothing is kept in memory: each reading sees the
 * file as it is. Errors: `bad_executor` with file and line, `unsafe_path` for a link, `too_large`, `unreadable`.
 */
export interface ExecutorFiles {
  /** By name; a file that cannot be read stands there with its error. */
  list(): Promise<ListedExecutor[]>;
  /** Undefined when there is none of this name. */
  read(name: string): Promise<ExecutorFile | undefined>;
}
