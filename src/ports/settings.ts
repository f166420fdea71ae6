/** The words of a key, and its value; without one the key leaves the file. */
export interface SettingToWrite {
  readonly key: readonly string[];
  readonly value?: string | number | boolean | readonly string[] | undefined;
}

/** The settings file of a project as data, before a schema has looked at it; `{}` where there is none. */
export interface SettingsFile {
  /** Where it is, from the top of the project, as people are told. */
  readonly name: string;
  /** Errors: `bad_config` with the line, `unsafe_path`, `too_large`, `unreadable`. */
  read(): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Sets values, or takes them away, all in one step: whoever reads sees the old file or the new one. `kept` says whether comments
   * and order are as they were; where they could not be kept the file is written anew. Errors: `not_initialized` and those of `read`.
   */
  set(changes: readonly SettingToWrite[]): Promise<{ kept: boolean }>;
}

/** What only the person at this machine says, wherever a project comes from. */
export interface OwnSettings {
  /** May clients be started with their permission checks off? */
  readonly allowUnsafe: boolean;
  /** Names of their variables that every client gets beside those it is known to need. */
  readonly passEnv: readonly string[];
  /** Their name among the people of a configuration; undefined where they say none. */
  readonly person: string | undefined;
}

export interface OwnSettingsSource {
  /** False and empty everywhere when there is no file. Errors: `bad_config` with the file and the line. */
  read(): Promise<OwnSettings>;
}
