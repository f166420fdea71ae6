import { hostname } from 'node:os';
import { DatabaseChoiceFile } from '#adapters/trust/database-choice-file.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { configurationFolder } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';
import type { ChosenDatabase, DatabaseChoice } from '#ports/storage.js';

/** Supplies the database address; takes precedence over the person's stored choice. */
const ADDRESS_VARIABLE = 'TROUPE_DATABASE_URL';

/** A project in a database: the connection address including its secrets, and the project's name there. */
export interface DatabasePlace {
  readonly address: string;
  readonly name: string;
}

/** Database of the named project as chosen on this machine. Errors: `database_not_chosen`. */
export function chosenPlace(project: Project, name: string, processes: Processes): DatabasePlace {
  const chosen = databaseChoice(project, processes).read();
  if (chosen?.project !== name) throw new TroupeError('database_not_chosen', { details: { project: name } });
  return { address: addressOf(chosen), name };
}

/** The database choice stored on this machine. */
export function databaseChoice(project: Project, processes: Processes): DatabaseChoice {
  const folder = configurationFolder(process.env);
  return new DatabaseChoiceFile({ folder, projectFolder: projectFolderOf(project), processes, clock: systemClock });
}

/** The effective address: the environment's, else the chosen one. Errors: `database_not_chosen`. */
export function addressOf({ address }: ChosenDatabase): string {
  const found = process.env[ADDRESS_VARIABLE] ?? address;
  if (found === undefined || found === '')
    throw new TroupeError('database_not_chosen', {
      what: 'There is no address of a database.',
      hint: 'Set TROUPE_DATABASE_URL, or give the address with `troupe database use` or `troupe database init`.',
    });
  return found;
}

/** Name of this process as shown to other machines. */
export const processInWords = () => `process ${process.pid} on ${hostname()}`;
