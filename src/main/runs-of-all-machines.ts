import { PostgresDatabase } from '#adapters/postgres/database.js';
import { AllRunFolders } from '#adapters/workers/all-run-folders.js';
import type { Settings } from '#core/settings/settings.js';
import { chosenBlobs } from '#main/chosen-blobs.js';
import { chosenPlace } from '#main/database-place.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';
import type { RunFolders } from '#ports/run-folders.js';

/** Output folders of all runs of a project in a database, on this machine and at workers. */
export async function runsOfAllMachines(
  project: Project,
  named: string,
  {
    here,
    processes,
    settings,
  }: { readonly here: RunFolders; readonly processes: Processes; settings(): Promise<Pick<Settings, 'database'>> },
): Promise<{ readonly folders: RunFolders; close(): Promise<void> }> {
  const { address, name } = chosenPlace(project, named, processes);
  const database = await PostgresDatabase.of(address, name);
  return {
    folders: new AllRunFolders(here, database, async () => await chosenBlobs(await settings())),
    close: () => database.close(),
  };
}
