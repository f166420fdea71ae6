import { hostname } from 'node:os';
import { DatabaseChoiceFile } from '#adapters/trust/database-choice-file.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { configurationFolder } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';
import type { ChosenDatabase, DatabaseChoice } from '#ports/storage.js';

/** Names the database where a person's settings name none. */
const ADDRESS_VARIABLE = 'TROUPE_DATABASE_URL';

/** A project in a database: its address, with all that is secret in it, and the name of the project there. */
export interface DatabasePlace {
  readonly address: string;
  readonly name: string;
}

/** Where the project of a name lies, as the person at this machine chose it. Errors: `database_not_chosen`. */
export function chosenPlace(project: Project, name: string, processes: Processes): DatabasePlace {
  const chosen = databaseChoice(project, processes).read();
  if (chosen?.project !== name) throw new TroupeError('database_not_chosen', { details: { project: name } });
  return { address: addressOf(chosen), name };
}

/** What a person chose on this machine. */
export function databaseChoice(project: Project, processes: Processes): DatabaseChoice {
  const folder = configurationFolder(process.env);
  return new DatabaseChoiceFile({ folder, projectFolder: projectFolderOf(project), processes, clock: systemClock });
}

/** The address that counts: that of the environment, else the one that was chosen. Errors: `database_not_chosen`. */
export function addressOf({ address }: ChosenDatabase): string {
  const found = process.env[ADDRESS_VARIABLE] ?? address;
  if (found === undefined || found === '')
    throw new TroupeError('database_not_chosen', { what: 'There is no address of a database.' });
  return found;
}

/** This process, as other machines are told of it. */
export const processInWords = () => `process ${process.pid} on ${hostname()}`;
