import type { Client } from 'pg';
import { isRefusal } from '#kernel/errors.js';
import type { PostgresDatabase } from './database.js';
import { databaseError } from './errors.js';

/** Hears the notifications of one channel, on a connection of its own. One that was lost is opened again by the next `listen`. */
export class DatabaseChannel {
  private readonly database: PostgresDatabase;
  private readonly name: string;
  private readonly tell: (payload: string) => void;
  private listener: Client | undefined;
  /** A replica notifies nobody. */
  private deaf = false;
  private closed = false;

  /** `tell` is called for each notification. */
  constructor(database: PostgresDatabase, name: string, tell: (payload: string) => void) {
    this.database = database;
    this.name = name;
    this.tell = tell;
  }

  /** When this answers, what is notified from now on is heard, unless the database is away. */
  async listen(): Promise<void> {
    if (this.listener || this.closed || this.deaf) return;
    const client = this.database.ownClient();
    this.listener = client;
    const isGone = () => {
      if (this.listener === client) this.listener = undefined;
    };
    client.on('end', isGone);
    client.on('notification', ({ payload = '' }) => this.tell(payload));
    try {
      await client.connect();
      await client.query(`LISTEN ${this.name}`);
    } catch (error) {
      isGone(); // until the next look
      this.deaf = isRefusal(databaseError(error), 'database_read_only');
      await client.end().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.listener?.end();
  }
}

/** The channels of a project: what is notified in each. */
export function channelsOf({ schema }: Pick<PostgresDatabase, 'schema'>) {
  return {
    /** That there is something new in the log. */
    events: schema,
    /** That something is asked of the leader. */
    asked: `${schema}_asked`,
    /** The id of a request that is answered. */
    answers: `${schema}_answers`,
    /** That the leader offers workers something, or wants something of them. */
    offers: `${schema}_offers`,
    /** That workers have changed something: `attempts` where it is nothing else. */
    workers: `${schema}_workers`,
  };
}

/** Calls back now, at each notification with what that says, and every so often, as one may be lost; answers how to stop that. */
export function followChannel(
  database: PostgresDatabase,
  name: string,
  everyMs: number,
  listener: (said: string) => void,
): () => Promise<void> {
  let isOver = false;
  const tell = (said: string) => {
    if (!isOver) listener(said);
  };
  const channel = new DatabaseChannel(database, name, tell);
  const look = () => {
    channel.listen().then(() => tell('')); // again where the connection was lost
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  look();
  return async () => {
    isOver = true;
    clearInterval(timer);
    await channel.close();
  };
}
