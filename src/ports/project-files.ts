import type { FileFact } from '#core/graph/wait.js';
import type { ImportSource } from '#core/imports/imported-task.js';

/** Files of the project that tasks wait for or that prompts include. */
export interface ProjectFiles {
  /**
   * Time and size of a file, given by its path relative to the project; both 0 if it does not exist. A link is
   * examined, not followed.
   */
  fact(inside: string): Promise<FileFact>;
  /**
   * SHA-256 of a file of at most `most` bytes; undefined if there is no such readable file. Links are followed within
   * the folder. `within`: folder to look in instead of the project.
   */
  fingerprint(inside: string, most: number, within?: string): Promise<string | undefined>;
  /** Bytes of a file of at most `most` bytes; undefined if there is no such readable file. Paths as in `fingerprint`. */
  bytes(inside: string, most: number, within?: string): Promise<Uint8Array | 'too-large' | undefined>;
  /**
   * Parses a YAML or JSON file named by a person. Errors: `not_found`, `too_large` above `most` bytes, `bad_input` if
   * it cannot be parsed or has aliases, `unsafe_path`, `unreadable`.
   */
  data(file: string, most: number): Promise<unknown>;
  /**
   * Reads a file that a person names to import its tasks, or the files of a folder in which trackers keep theirs. No
   * link leads out of the project or of the folder; the project's own graph is left out. Errors: `not_found`,
   * `unsafe_path`, `unreadable`, `too_large`.
   */
  trackers(named: string): Promise<ImportSource>;
  /**
   * First `most` bytes of a text file; undefined if it does not exist. Links are followed within the project. Errors:
   * `unsafe_path`, `unreadable`.
   */
  text(inside: string, most: number): Promise<string | undefined>;
  /**
   * Writes the summary of the project atomically and returns its path relative to the project. Errors: `unsafe_path`,
   * `read_only`, `disk_full`.
   */
  writeContext(text: string): Promise<string>;
}

/** Output files that a caller names, relative to the caller's working directory. */
export interface OutputFiles {
  /**
   * Writes a file atomically, readable for this person only, and returns its absolute path. A link at its place is
   * replaced, not followed. With `within`, it must be below one of these folders after all links are resolved. Errors:
   * `not_found` if its folder does not exist, `bad_input` for a folder, `unsafe_path` for files of Troupe or git,
   * `not_yours` outside of `within`, `file_exists` if it exists, unless it may be replaced or is an unchanged earlier
   * output.
   */
  write(named: string, content: string | Uint8Array, how: OutputOptions): Promise<string>;
  /**
   * Writes files, by their paths, into a folder, creates missing folders, and returns its absolute path. Other files
   * there are not changed. Errors: `file_exists`, before anything is written, for a file with other content, unless it
   * may be replaced; `unsafe_path` for a link below the folder.
   */
  writeFolder(named: string, files: ReadonlyMap<string, string>, how: { readonly replace: boolean }): Promise<string>;
  /** Rejects a path as `write` would, except that folders on the path may be missing. */
  refuse(named: string, within: readonly string[] | undefined): Promise<void>;
}

export interface OutputOptions {
  readonly replace: boolean;
  readonly within: readonly string[] | undefined;
}
