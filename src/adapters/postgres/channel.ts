import type { Client } from 'pg';
import { isRefusal } from '#kernel/errors.js';
import type { PostgresDatabase } from './database.js';
import { databaseError } from './errors.js';

/**
 * Source of rows, to be joined to a statement: its commit does not wait for the disk. For messages, which are worth
 * nothing to a reader whose connection is lost; each flush would take them longer than all the rest.
 */
export const UNFLUSHED = "set_config('synchronous_commit', 'off', true)";

/** Receives the notifications of one channel on a separate connection. `listen` reconnects a lost one. */
export class DatabaseChannel {
  private readonly database: PostgresDatabase;
  private readonly name: string;
  private readonly tell: (payload: string) => void;
  private listener: Client | undefined;
  /** Replicas send no notifications. */
  private isReplica = false;
  private closed = false;

  /** `tell` is called for each notification. */
  constructor(database: PostgresDatabase, name: string, tell: (payload: string) => void) {
    this.database = database;
    this.name = name;
    this.tell = tell;
  }

  /** Once resolved, all later notifications are received, unless the database is unreachable. */
  async listen(): Promise<void> {
    if (this.listener || this.closed || this.isReplica) return;
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
      isGone(); // until the next poll
      this.isReplica = isRefusal(databaseError(error), 'database_read_only');
      await client.end().catch(() => undefined);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    await this.listener?.end();
  }
}

/** Notification channels of a project. */
export function channelsOf({ schema }: Pick<PostgresDatabase, 'schema'>) {
  return {
    /** New log entries. */
    events: schema,
    /** New requests to the leader. */
    asked: `${schema}_asked`,
    /** Id of an answered request. */
    answers: `${schema}_answers`,
    /** New offers or requests of the leader to workers. */
    offers: `${schema}_offers`,
    /** Changes by workers; the payload is `attempts` if only attempts changed. */
    workers: `${schema}_workers`,
  };
}

/**
 * Calls the listener now, at each notification with its payload, and at the interval because a notification may be
 * lost. Returns a function that stops it.
 */
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
    channel.listen().then(() => tell('')); // reconnects if the connection was lost
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
