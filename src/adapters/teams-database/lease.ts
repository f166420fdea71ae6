import { lstatSync, realpathSync } from 'node:fs';
import path from 'node:path';
import type { Database } from './database.js';

/** The use of a connection that all users of a file in this process share. */
export interface Lease {
  readonly database: Promise<Database>;
  /** False once the path leads to another file than the one that is open: that one was removed or replaced. */
  isCurrent(): boolean;
  /** Closes the connection when no other user is left. Safe twice. */
  release(): Promise<void>;
}

interface Shared {
  readonly database: Promise<Database>;
  identity: string | undefined;
  users: number;
}

/**
 * One connection for each file and process. SQLite's locks belong to the process, not to the connection: whatever closes a descriptor of
 * the file, also a second library, drops those of the first.
 */
const connections = new Map<string, Shared>();
/** Files that are being closed; the next connection waits for that. */
const closing = new Map<string, Promise<void>>();

/** A lease of the connection to `file`; `connect` opens it where this process has none. */
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
        connections.delete(key); // nobody else begins to use a file that is gone
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
  shared.database.catch(() => undefined); // told to whoever asks
  connections.set(key, shared);
  return shared;
}

/** The same for all paths to one folder. */
function placeOf(file: string): string {
  const folder = path.dirname(file);
  const real = lstatSync(folder, { throwIfNoEntry: false }) === undefined ? folder : realpathSync(folder);
  return path.join(real, path.basename(file));
}

function identityOf(file: string): string {
  const stats = lstatSync(file, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'none' : `${stats.dev}:${stats.ino}`;
}
