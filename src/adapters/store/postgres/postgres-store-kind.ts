import { eachWithDatabase, PostgresDatabase, withDatabase } from '#adapters/postgres/database.js';
import type { HoldOptions, StoreKind } from '#ports/graph-store.js';

interface PostgresStoreKindParts {
  /** For example `postgresql://user@host/database`. */
  readonly address: string;
  /** Name of the project in that database. */
  readonly project: string;
  /** Folder with the numbered schema migrations. */
  readonly migrations: string;
  /** Folder of the project's other files. */
  readonly folder: string;
  /** Name of this process, shown to others while it leads. */
  readonly who: string;
}

/** Graph store in a PostgreSQL database. Modules are loaded only when a call needs them. */
export function postgresStoreKind({ address, project, migrations, folder, who }: PostgresStoreKindParts): StoreKind {
  const connected = () => PostgresDatabase.of(address, project);
  /** Opens a connection and rejects a schema of another version. */
  const opened = async () => {
    const database = await connected();
    try {
      const { refuseOtherSchema } = await import('#adapters/postgres/schema.js');
      await refuseOtherSchema(database, migrations);
      return database;
    } catch (error) {
      await database.close();
      throw error;
    }
  };
  return {
    async initialise() {
      const { migrateDatabase } = await import('#adapters/postgres/schema.js');
      const { WriterTurn } = await import('#adapters/postgres/turn.js');
      return await withDatabase(connected, async (database) => {
        const { created } = await migrateDatabase(database, migrations);
        if (created) await new WriterTurn(database).fill(async () => undefined);
        return { folder, created };
      });
    },
    async open(stopWaiting) {
      const { PostgresStore } = await import('./postgres-store.js');
      return await PostgresStore.open({ database: await opened(), stopWaiting });
    },
    turn(stopWaiting) {
      return {
        isFree: () => false, // it would take a query
        async exclusively(work) {
          const { WriterTurn } = await import('#adapters/postgres/turn.js');
          return await withDatabase(opened, (database) =>
            new WriterTurn(database, { stopWaiting }).take(async () => work()),
          );
        },
      };
    },
    async hold({ seize, stopWaiting, onLost }: HoldOptions) {
      const { Leadership } = await import('#adapters/postgres/leadership.js');
      const { PostgresStore } = await import('./postgres-store.js');
      const database = await opened();
      try {
        const leadership = await Leadership.take(database, { who, seize, stopWaiting, onLost });
        return await PostgresStore.open({ database, leadership }).catch(async (error) => {
          await leadership.release().catch(() => undefined); // else the lease expires by itself
          throw error;
        });
      } catch (error) {
        await database.close();
        throw error;
      }
    },
    async holder() {
      const { presentHead } = await import('#adapters/postgres/head.js');
      const { leader, lease } = await withDatabase(opened, (database) => presentHead(database, database.clock));
      return lease === null ? undefined : (leader ?? undefined);
    },
    async doctor() {
      const { PostgresDoctor } = await import('./doctor.js');
      return new PostgresDoctor(opened);
    },
    async *lines() {
      const { logRowLines } = await import('./log-copy.js');
      yield* eachWithDatabase(opened, logRowLines);
    },
    async receive(lines) {
      const { migrateDatabase } = await import('#adapters/postgres/schema.js');
      const { WriterTurn } = await import('#adapters/postgres/turn.js');
      const { packReceived, receiveLogRows } = await import('./log-copy.js');
      await withDatabase(connected, async (database) => {
        await migrateDatabase(database, migrations);
        await new WriterTurn(database).fill((queries) => receiveLogRows(queries, lines));
      });
      await packReceived(await opened());
    },
  };
}
