import type { Sessions } from '#core/coordinator/sessions.js';

/** `service/coordinators.json`: the sessions of the coordinator. */
export interface SessionFile {
  /** None where there is no file. Errors: `bad_input` for one that is broken, `unsafe_path`. */
  read(): Promise<Sessions>;
  /** One change at a time, also of several processes. Nothing is written when it throws. */
  change<Result>(edit: (sessions: Sessions) => readonly [Sessions, Result]): Promise<Result>;
}
