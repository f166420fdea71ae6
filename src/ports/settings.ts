/** The settings file of a project as data, before a schema has looked at it; `{}` where there is none. */
export interface SettingsFile {
  /** Where it is, from the top of the project, as people are told. */
  readonly name: string;
  /** Errors: `bad_config` with the line, `unsafe_path`, `too_large`, `unreadable`. */
  read(): Promise<Readonly<Record<string, unknown>>>;
  /**
   * Sets one value, or takes it away. Whoever reads sees the old file or the new one. `kept` says whether comments and
   * order are as they were; where they could not be kept the file is written anew.
   */
  set(key: readonly string[], value: string | number | boolean | undefined): Promise<{ kept: boolean }>;
}
