import type { Sessions } from '#core/coordinator/sessions.js';

/** Coordinator sessions, stored in `service/coordinators.json`. */
export interface SessionFile {
  /** Reads the sessions; none if the file does not exist. Errors: `bad_input` for a corrupt file, `unsafe_path`. */
  read(): Promise<Sessions>;
  /** Applies one change at a time, across processes. If `edit` throws, nothing is written. */
  change<Result>(edit: (sessions: Sessions) => readonly [Sessions, Result]): Promise<Result>;
}
