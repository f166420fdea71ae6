import type { RepositorySignals } from '#core/casting/analysis.js';

export interface RepositoryScan {
  readonly signals: RepositorySignals;
  /**
   * Recognised project files (package.json, pyproject.toml, Cargo.toml, go.mod, pom.xml, …) as paths relative to the
   * folder, with `/`, nearest to the top first.
   */
  readonly manifests: readonly string[];
  /** Number of files examined, at most `TEAM_LIMITS.scanFiles`. */
  readonly files: number;
  /** Whether a limit ended the scan early. */
  readonly truncated: boolean;
}

/** Scans a folder without executing its content or following links, within fixed limits. */
export interface RepositoryScanner {
  /** `folder` is absolute. Unreadable parts below it are skipped. Errors: `not_found`, `unreadable`. */
  scan(folder: string): Promise<RepositoryScan>;
}
