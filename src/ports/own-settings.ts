/** What only the person at this machine says, wherever a project comes from. */
export interface OwnSettings {
  /** May clients be started with their permission checks off? */
  readonly allowUnsafe: boolean;
  /** Names of their variables that every client gets beside those it is known to need. */
  readonly passEnv: readonly string[];
}

export interface OwnSettingsSource {
  /** False and empty everywhere when there is no file. Errors: `bad_config` with the file and the line. */
  read(): Promise<OwnSettings>;
}
