import { setTimeout } from 'node:timers/promises';
import { TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { PostgresDatabase, SqlQueries } from './database.js';
import { type Head, headIn, LOCK_HEAD, refuseUnused } from './head.js';
import { refuseReading } from './reading.js';

const LOOK_EVERY_MS = 200;
export interface TurnOptions {
  /** Of the leader that writes; undefined for whoever writes while nobody leads. */
  readonly epoch?: number;
  /** Asked while another leads: true when waiting is in vain. */
  readonly stopWaiting?: () => boolean;
}

/**
 * The turn to write in a project, for the graph and for every table beside it. `take` begins a transaction, locks the row of `head` and runs
 * `work` in it: nobody else writes anything in the project until it is committed. Two processes never write at once, and a leader that lost
 * its lease writes nothing. `work` may read and write any table of the project by the queries it is given, and by nothing else; it takes no
 * turn itself, starts nothing outside of the database, and may be run only once. `locked` when another leads; a leader that does
 * not renew its lease is waited for.
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

  /** Puts a project into tables that were never used, which are in use then. `store_not_empty` for others. */
  async fill<Result>(work: (queries: SqlQueries) => Promise<Result>): Promise<Result> {
    return await this.look(async (queries, { state }) => {
      if (state !== 'empty')
        throw new TroupeError('store_not_empty', { what: 'The project in the database holds a graph already.' });
      const result = await work(queries);
      await queries.query("UPDATE head SET state = 'in-use'");
      return result;
    });
  }

  /** How the log ends, once nobody writes: also where another leads. */
  async look<Result>(work: (queries: SqlQueries, head: Head) => Promise<Result>): Promise<Result> {
    await refuseReading(this.database);
    const asked = performance.now();
    return await this.database.transaction<Result, Head>(
      (queries, first) => work(queries, headIn(first, this.database.clock, asked)),
      LOCK_HEAD,
    );
  }
}

/** Another leads, or nobody does any more where this process did. */
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

/** Tries until nobody leads. A leader that renews its lease is alive, and not waited for. */
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
    await setTimeout(LOOK_EVERY_MS);
  }
}
