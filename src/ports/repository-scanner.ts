import type { RepositorySignals } from '#core/casting/analysis.js';

export interface RepositoryScan {
  readonly signals: RepositorySignals;
  /**
   * Recognised project files (package.json, pyproject.toml, Cargo.toml, go.mod, pom.xml, …) as paths relative to the
   * folder, with `/`, nearest to the top first.
   */
  readonly manifests: readonly string[];
  /** Files seen, at most `LIMITS.scanFiles`. */
  readonly files: number;
  /** True when a limit cut the scan short. */
  readonly truncated: boolean;
}

/** Looks at a folder without executing anything from it, without following links, within fixed bounds. */
export interface RepositoryScanner {
  /** `folder` is absolute. Errors: `not_found`, `unreadable`. Unreadable parts below it are passed over. */
  scan(folder: string): Promise<RepositoryScan>;
}
