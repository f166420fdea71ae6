import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Database } from './database.js';

/** Shared use of this process's only connection to a file. */
export interface Lease {
  readonly database: Promise<Database>;
  /** False once the path leads to a different file: the open one was removed or replaced. */
  isCurrent(): boolean;
  /** Closes the connection once no other user is left. Idempotent. */
  release(): Promise<void>;
}

interface Shared {
  readonly database: Promise<Database>;
  identity: string | undefined;
  users: number;
}

/**
 * One connection for each file and process. SQLite's locks belong to the process, not to the connection: closing any
 * descriptor of the file, even in a second library, releases those of the first.
 */
const connections = new Map<string, Shared>();
/** Files being closed; a new connection waits for them. */
const closing = new Map<string, Promise<void>>();

/** Leases the connection to `file`; `connect` opens it if this process has none. */
export function leaseOf(file: string, connect: () => Promise<Database>): Lease {
  const key = placeOf(file);
  const shared = connections.get(key) ?? share(key, file, connect);
  shared.users++;
  let released = false;
  return {
    database: shared.database,
    isCurrent: () => shared.identity === undefined || shared.identity === identityOf(file),
    async release() {
      if (released) return;
      released = true;
      if (connections.get(key) === shared && shared.identity !== undefined && shared.identity !== identityOf(file))
        connections.delete(key); // no further lease of a removed file
      if (--shared.users > 0) return;
      if (connections.get(key) === shared) connections.delete(key);
      const end = shared.database.then(
        (database) => database.close(),
        () => undefined, // it never opened
      );
      closing.set(key, end);
      await end.finally(() => {
        if (closing.get(key) === end) closing.delete(key);
      });
    },
  };
}

function share(key: string, file: string, connect: () => Promise<Database>): Shared {
  const open = async () => {
    await closing.get(key);
    const database = await connect();
    shared.identity = identityOf(file);
    return database;
  };
  const shared: Shared = { database: open(), identity: undefined, users: 0 };
  shared.database.catch(() => undefined); // each lease holder gets the error
  connections.set(key, shared);
  return shared;
}

/** Canonical path, equal for all paths to the same folder. */
function placeOf(file: string): string {
  const folder = path.dirname(file);
  const real = lstatSync(folder, { throwIfNoEntry: false }) === undefined ? folder : realpathSync(folder);
  return path.join(real, path.basename(file));
}

function identityOf(file: string): string {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.dev}:${stats.ino}`;
}
