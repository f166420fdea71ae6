import type { ImportSource } from '#core/imports/imported-task.js';

/** Files of other trackers that a person names, to be imported. */
export interface ImportFiles {
  /**
   * Reads a file, or the files of a folder that trackers keep their tasks in. Nothing outside of the project is
   * reached by a path in it, or outside of the folder by a link in it; the project's own graph is left out. Errors:
   * `not_found`, `unsafe_path`, `unreadable`, `too_large`.
   */
  read(named: string): Promise<ImportSource>;
}
