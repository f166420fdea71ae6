import { setTimeout } from 'node:timers/promises';
import { TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { inert } from '#kernel/text.js';
import type { PostgresDatabase, SqlQueries } from './database.js';
import { type Head, headIn, LOCK_HEAD, refuseUnused } from './head.js';
import { refuseReading } from './reading.js';

export interface TurnOptions {
  /** Epoch of the leader that writes; undefined for a process that writes while there is no leader. */
  readonly epoch?: number;
  /** Polled while another process leads; returning true stops waiting. */
  readonly stopWaiting?: () => boolean;
}

/**
 * Exclusive turn to write in a project, for the graph and every table beside it. `take` begins a transaction, locks the
 * row of `head` and runs `work`: until the commit, no other process writes to the project. A leader that lost its lease
 * cannot write. `work` may access any table of the project, but only with the queries it receives; it takes no turn
 * itself, starts nothing outside the database, and may be run only once. Errors: `locked` if another process leads.
 * Waits for a leader that does not renew its lease.
 */
export class WriterTurn {
  private readonly database: PostgresDatabase;
  private readonly options: TurnOptions;

  constructor(database: PostgresDatabase, options: TurnOptions = {}) {
    this.database = database;
    this.options = options;
  }

  async take<Result>(work: (queries: SqlQueries, head: Head) => Promise<Result>): Promise<Result> {
    const { epoch, stopWaiting } = this.options;
    const attempt = () =>
      this.look(async (queries, head) => {
        refuseUnused(head);
        if (epoch === undefined ? head.lease !== null : head.lease === null || head.epoch !== epoch)
          throw ledByAnother(head, epoch);
        return await work(queries, head);
      });
    return epoch === undefined ? await afterLeader(attempt, stopWaiting) : await attempt();
  }

  /** Fills tables that were never used and marks them as in use. Errors: `store_not_empty`. */
  async fill<Result>(work: (queries: SqlQueries) => Promise<Result>): Promise<Result> {
    return await this.look(async (queries, { state }) => {
      if (state !== 'empty')
        throw new TroupeError('store_not_empty', { what: 'The project in the database holds a graph already.' });
      const result = await work(queries);
      await queries.query("UPDATE head SET state = 'in-use'");
      return result;
    });
  }

  /** Runs `work` with the locked head once no other process writes, even if another process leads. */
  async look<Result>(work: (queries: SqlQueries, head: Head) => Promise<Result>): Promise<Result> {
    await refuseReading(this.database);
    const asked = performance.now();
    return await this.database.transaction<Result, Head>(
      (queries, first) => work(queries, headIn(first, this.database.clock, asked)),
      LOCK_HEAD,
    );
  }
}

/** Error if another process leads, or this one lost its leadership. */
export function ledByAnother({ leader, lease, epoch }: Head, mine?: number): TroupeError {
  const who = lease === null || leader === null ? 'nobody' : inert(leader);
  return new TroupeError('locked', {
    what:
      mine === undefined
        ? `Another process writes in the project: it is led by ${who}.`
        : `This process no longer leads the project: ${who} does. Nothing was changed.`,
    hint: 'Run the command where the service runs, or stop it there with `troupe service stop`.',
    details: { leader, lease, epoch, retriable: true },
  });
}

/** Retries until the leader's lease has expired. A leader that renews it is alive and not waited for. */
export async function afterLeader<Result>(
  attempt: () => Promise<Result>,
  stopWaiting: () => boolean = () => false,
): Promise<Result> {
  let first: unknown;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const lease = error instanceof TroupeError && error.code === 'locked' ? error.details['lease'] : undefined;
      first ??= lease;
      if (typeof lease !== 'string' || lease !== first || stopWaiting()) throw error;
    }
    await setTimeout(DATABASE_LIMITS.leaderLookMs);
  }
}
