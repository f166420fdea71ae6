import { parseAddress, shownAddress } from '#adapters/postgres/address.js';
import { eachWithDatabase, PostgresDatabase, schemaOf, withDatabase } from '#adapters/postgres/database.js';
import { publishedLeaders, publishLeader } from '#adapters/postgres/leaders.js';
import { grantRoles, rolesSql } from '#adapters/postgres/roles.js';
import { emptyRetired, migrateDatabase } from '#adapters/postgres/schema.js';
import { presentStandbys } from '#adapters/postgres/standbys.js';
import { databaseStanding } from '#adapters/postgres/standing.js';
import { WriterTurn } from '#adapters/postgres/turn.js';
import { packReceived, receiveLogRows } from '#adapters/store/postgres/log-copy.js';
import { ran } from '#adapters/teams-database/postgres-tables.js';
import { inGroups, keptRows, receivedRows, renumbered } from '#adapters/teams-database/table-copy.js';
import { askWorker, refusedEnds, standingOfWorkers, unsettledAttempts } from '#adapters/workers/standing.js';
import { databaseKind } from '#main/database-kind.js';
import type { DatabasePlace } from '#main/database-place.js';
import { ownLeaderCard, ownPublicKey } from '#main/leader-key.js';
import { PLACES } from '#main/places.js';
import type { Project } from '#ports/project.js';
import type { DatabaseStorage, MigratedTables } from '#ports/storage.js';

async function migrated(database: PostgresDatabase): Promise<MigratedTables> {
  const { steps } = await migrateDatabase(database, PLACES.database);
  return { steps, missingRoles: await grantRoles(database) };
}

/** Storage of a named project in a PostgreSQL database. Connects for each call. */
export async function databaseStorage(place: DatabasePlace, project: Project): Promise<DatabaseStorage> {
  const { address, name } = place;
  const parsed = parseAddress(address);
  const { user } = parsed;
  const words = shownAddress(parsed);
  const opened = () => PostgresDatabase.of(address, name);
  const standingIn = async (database: PostgresDatabase) => ({
    place: words,
    ...(await databaseStanding(database, PLACES.database)),
  });
  const standing = () => withDatabase(opened, standingIn);
  return {
    words: `${name} in ${words}`,
    graph: await databaseKind(place, project),
    standing,
    state: async () => (await standing()).state,
    rows: () => eachWithDatabase(opened, (database) => keptRows((work) => ran(database, work()))),
    async receive({ lines, rows }) {
      await withDatabase(opened, (database) =>
        new WriterTurn(database).fill(async (queries) => {
          for await (const group of inGroups(rows)) await ran(queries, receivedRows(group, 'OVERRIDING SYSTEM VALUE'));
          await ran(queries, renumbered());
          await receiveLogRows(queries, lines);
          await publishLeader(queries, ownLeaderCard()); // it may lead from here, and workers can query its key
        }),
      );
      await packReceived(await opened());
    },
    workers: () => withDatabase(opened, standingOfWorkers),
    machines: (latestRefused) =>
      withDatabase(opened, async (database) => ({
        standing: await standingIn(database),
        standbys: await presentStandbys(database),
        workers: await standingOfWorkers(database),
        refused: await refusedEnds(database, latestRefused),
        now: database.clock.now(),
      })),
    leaders: async () => {
      const own = ownPublicKey();
      const leaders = await withDatabase(opened, publishedLeaders);
      return leaders.map((leader) => ({ ...leader, here: leader.key === own }));
    },
    askWorker: (worker, asked) => withDatabase(opened, (database) => askWorker(database, worker, asked)),
    runsElsewhere: () => withDatabase(opened, unsettledAttempts),
    migrate: () => withDatabase(opened, migrated),
    rolesSql: () => rolesSql(schemaOf(name), user),
    prepare: () =>
      withDatabase(opened, async (database) => {
        await migrated(database);
        await emptyRetired(database);
      }),
  };
}
