/** What is known of a file: milliseconds and bytes; both 0 where there is none. */
export interface FileFact {
  readonly mtime: number;
  readonly size: number;
}

/** The files of the project, as far as a task may wait for them or an attempt is told of them. */
export interface ProjectFiles {
  /** `inside`: a path relative to the project. A link is looked at, not followed. */
  fact(inside: string): Promise<FileFact>;
  /**
   * The SHA-256 of a file of at most `most` bytes, undefined where there is none that can be read; links count as long as
   * they stay inside. `within` is a folder below the project to look in instead of the project.
   */
  fingerprint(inside: string, most: number, within?: string): Promise<string | undefined>;
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
