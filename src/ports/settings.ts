/** A key as its words, and its value; an undefined value removes the key. */
export interface SettingToWrite {
  readonly key: readonly string[];
  readonly value?: string | number | boolean | readonly string[] | undefined;
}

/** Settings file of a project as unvalidated data; `{}` if it does not exist. */
export interface SettingsFile {
  /** Path relative to the top of the project, for messages. */
  readonly name: string;
  /** Errors: `bad_config` with the line, `unsafe_path`, `too_large`, `unreadable`. */
  read(): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Sets or removes values in one atomic write: readers see the old file or the new one. `kept`: whether comments and
   * order were preserved; otherwise the file was written anew. Errors: `not_initialized` and those of `read`.
   */
  set(changes: readonly SettingToWrite[]): Promise<{ kept: boolean }>;
}

/** Settings that apply to all projects, from the person's own configuration on this machine. */
export interface OwnSettings {
  /** Whether clients may be started with their permission checks disabled. */
  readonly allowUnsafe: boolean;
  /** Names of environment variables that every client gets, in addition to those it is known to need. */
  readonly passEnv: readonly string[];
  /** The person's name among the people of a configuration; undefined if not set. */
  readonly person: string | undefined;
}

export interface OwnSettingsSource {
  /**
   * Reads the settings; false and empty if the file does not exist. Errors: `bad_config` with the file and the line.
   */
  read(): Promise<OwnSettings>;
}
