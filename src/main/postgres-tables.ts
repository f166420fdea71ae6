import { PostgresDatabase } from '#adapters/postgres/database.js';
import { WriterTurn } from '#adapters/postgres/turn.js';
import { PostgresStore } from '#adapters/store/postgres/postgres-store.js';
import { PostgresTables } from '#adapters/teams-database/postgres-tables.js';
import type { Tables } from '#adapters/teams-database/tables.js';
import { assert } from '#kernel/errors.js';
import { chosenPlace } from '#main/database-place.js';
import { PLACES } from '#main/places.js';
import type { ExclusiveGraph } from '#ports/graph-store.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';

interface TablesParts {
  readonly held: ExclusiveGraph | undefined;
  readonly stopWaiting: () => boolean;
  readonly processes: Processes;
}

/**
 * The tables stored beside the graph in a database. The leader writes them under its epoch; other processes may write
 * only while there is no leader.
 */
export async function postgresTables(
  project: Project,
  named: string,
  { held, stopWaiting, processes }: TablesParts,
): Promise<Tables> {
  const { address, name } = chosenPlace(project, named, processes);
  const database = await PostgresDatabase.of(address, name);
  assert(held === undefined || held instanceof PostgresStore, 'a graph in a database is held there');
  return new PostgresTables({
    connect: async () => database,
    turn: (connected) => held?.turn ?? new WriterTurn(connected, { stopWaiting }),
    migrations: PLACES.database,
    clock: held?.clock ?? database.clock,
  });
}
