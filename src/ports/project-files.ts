import type { FileFact } from '#core/graph/wait.js';

/** The files of the project, as far as a task may wait for them or an attempt is told of them. */
export interface ProjectFiles {
  /** `inside`: a path relative to the project. A link is looked at, not followed. */
  fact(inside: string): Promise<FileFact>;
  /**
   * The SHA-256 of a file of at most `most` bytes, undefined where there is none that can be read; links count as long as
   * they stay inside. `within` is a folder below the project to look in instead of the project.
   */
  fingerprint(inside: string, most: number, within?: string): Promise<string | undefined>;
  /** The bytes of such a file; undefined where there is none that can be read, and of one larger than `most`. */
  bytes(inside: string, most: number, within?: string): Promise<Uint8Array | undefined>;
  /** A YAML or JSON file a person named, as data; aliases are refused, and what is larger than `most` bytes. */
  data(file: string, most: number): Promise<unknown>;
  /**
   * The first `most` bytes of a text, undefined where there is none. Links are followed as long as they stay inside. Errors:
   * `unsafe_path`, `unreadable`.
   */
  text(inside: string, most: number): Promise<string | undefined>;
  /** Puts the summary of the project in its place, whole or not at all; answers where. Errors: `unsafe_path`, `read_only`, `disk_full`. */
  keepContext(text: string): Promise<string>;
}

/** Files that somebody asks for by name, from wherever they type it. */
export interface OutputFiles {
  /**
   * Writes one, whole or not at all, for this person's eyes; answers its absolute path. A link in its place is replaced, not
   * followed. With `within` it has to lie below one of these folders, whatever links are on the way. Errors: `not_found`
   * without its folder, `bad_input` for a folder, `unsafe_path` for what is ours or git's own, `not_yours` outside of
   * `within`, `file_exists` for one that is there and was not written so, unless it may be replaced.
   */
  write(named: string, content: string | Uint8Array, how: OutputWishes): Promise<string>;
  /**
   * Writes files into a folder, by their paths in it, and makes the folders on the way; answers its absolute path. What else is there
   * stays. A file with other bytes is `file_exists` unless it may be replaced, and then nothing is written; a link below the folder is `unsafe_path`.
   */
  writeFolder(named: string, files: ReadonlyMap<string, string>, how: { readonly replace: boolean }): Promise<string>;
  /** Refuses a place as `write` would; the folders on the way to it may be missing. */
  refuse(named: string, within: readonly string[] | undefined): Promise<void>;
}

export interface OutputWishes {
  readonly replace: boolean;
  readonly within: readonly string[] | undefined;
}
