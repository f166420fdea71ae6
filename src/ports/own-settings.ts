/** What only the person at this machine says, wherever a project comes from. */
export interface OwnSettings {
  /** May clients be started with their permission checks off? */
  readonly allowUnsafe: boolean;
}

export interface OwnSettingsSource {
  /** False everywhere when there is no file. Errors: `bad_config` with the file and the line. */
  read(): Promise<OwnSettings>;
}
