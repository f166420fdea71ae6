import { PostgresDatabase, withDatabase } from '#adapters/postgres/database.js';
import { readingOnly } from '#adapters/postgres/reading.js';
import { chosenPlace } from '#main/database-place.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';
import type { ReadOnlyCause } from '#ports/storage.js';

/** Reason why this machine may only read the project; undefined if it may write. */
export async function databaseReading(
  project: Project,
  named: string,
  processes: Processes,
): Promise<ReadOnlyCause | undefined> {
  const { address, name } = chosenPlace(project, named, processes);
  return await withDatabase(
    () => PostgresDatabase.of(address, name),
    async (database) => (database.access.writes ? undefined : await readingOnly(database)),
  );
}
