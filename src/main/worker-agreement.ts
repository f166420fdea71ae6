import { userInfo } from 'node:os';
import { parseAddress, shownAddress } from '#adapters/postgres/address.js';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { publishedLeaders } from '#adapters/postgres/leaders.js';
import { refuseOtherWorkerSchema } from '#adapters/postgres/schema.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { WorkerAgreementFile } from '#adapters/trust/worker-agreement-file.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { callerAt } from '#main/caller.js';
import { chosenPlace, type DatabasePlace } from '#main/database-place.js';
import { configurationFolder, PLACES } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import type { Project } from '#ports/project.js';
import type { LeaderChoice } from '#surfaces/cli/host.js';

/** Database of a worker's project, and the leaders it works for. */
export interface WorkerPlace {
  readonly place: DatabasePlace;
  readonly database: PostgresDatabase;
  readonly choice: LeaderChoice;
  /** Keys of the leaders currently trusted. */
  agreed(): readonly string[];
}

/**
 * Opens the leader choice of a worker in this clone. Only a person may change it. Errors: `not_in_database`,
 * `database_not_chosen`, `database_older`; `not_yours` for a run.
 */
export async function workerPlace(project: Project): Promise<WorkerPlace> {
  const { store } = project;
  if (store.kind === 'files') throw new TroupeError('not_in_database');
  const processes = new ProcessTable();
  const projectFolder = projectFolderOf(project);
  const place = chosenPlace(project, store.name, processes);
  const words = `${place.name} in ${shownAddress(parseAddress(place.address))}`;
  const database = await PostgresDatabase.of(place.address, place.name);
  await refuseOtherWorkerSchema(database, PLACES.database);
  const folder = configurationFolder(process.env);
  const agreement = new WorkerAgreementFile({ folder, projectFolder, processes, clock: systemClock });
  return {
    place,
    database,
    agreed: () => agreement.leaders(words)?.map(({ key }) => key) ?? [],
    choice: {
      database: words,
      user: userInfo().username,
      agreed: () => agreement.leaders(words),
      published: () => publishedLeaders(database),
      async agree(leaders) {
        await refuseRuns(project);
        await agreement.give(words, leaders);
      },
      async forget(key) {
        await refuseRuns(project);
        return await agreement.withdraw(words, key);
      },
    },
  };
}

async function refuseRuns(project: Project): Promise<void> {
  const caller = await callerAt(project, process.env);
  if (caller.kind === 'run') throw new TroupeError('not_yours', { what: 'A run does not say who runs commands here.' });
}

/** Opens the leader choice for a person to edit, whether or not a worker is running. */
export async function openLeaderChoice(project: Project): Promise<LeaderChoice & { close(): Promise<void> }> {
  const { choice, database } = await workerPlace(project);
  return { ...choice, close: () => database.close() };
}
