// Places of the program and of the person, and the name that the person has here.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { homeFolder } from '#adapters/disk/home-folder.js';
import { personHere } from '#adapters/processes/caller-from.js';
import type { Caller } from '#ports/callers.js';

/** The package's own folder: above `dist/` when built, above `src/main/` when run from source. */
const PACKAGE_FOLDER = packageFolder(path.dirname(fileURLToPath(import.meta.url)));

function packageFolder(here: string): string {
  return path.basename(here) === 'chunks'
    ? path.resolve(here, '../..')
    : path.resolve(here, path.basename(here) === 'main' ? '../..' : '..');
}

export const PLACES = {
  /** The shipped vocabulary. */
  catalog: path.join(PACKAGE_FOLDER, 'data', 'catalog'),
  /** Its files as data, by the build. */
  catalogAhead: path.join(PACKAGE_FOLDER, 'dist', 'catalog.json'),
  /** The steps that make teams.db. */
  teams: path.join(PACKAGE_FOLDER, 'data', 'teams'),
  /** The steps that make the tables of a project in a PostgreSQL database. */
  database: path.join(PACKAGE_FOLDER, 'data', 'database'),
  /** Our words in what an attempt is told. */
  prompts: path.join(PACKAGE_FOLDER, 'data', 'prompts'),
  /** What models cost. */
  prices: path.join(PACKAGE_FOLDER, 'data', 'prices.json'),
  /** The roles and trade-offs a new agency begins with. */
  agency: path.join(PACKAGE_FOLDER, 'data', 'agency'),
  /** The roles one can begin with. */
  roles: path.join(PACKAGE_FOLDER, 'data', 'roles'),
  /** Our own command, for tasks that call it. */
  command: path.join(PACKAGE_FOLDER, 'dist', 'cli.cjs'),
  service: path.join(PACKAGE_FOLDER, 'dist', 'service.cjs'),
  /** Runs one client. */
  run: path.join(PACKAGE_FOLDER, 'dist', 'run.cjs'),
  web: path.join(PACKAGE_FOLDER, 'dist', 'web'),
} as const;

/** A private folder for sockets whose place in the project would be too long; a relative `XDG_RUNTIME_DIR` counts as none. */
export function runtimeFolder(environment: NodeJS.ProcessEnv): string {
  const named = environment['XDG_RUNTIME_DIR'];
  return named && path.isAbsolute(named) ? named : path.join(homeFolder(), '.cache', 'troupe', 'run');
}

/** Where this person's own settings lie; a relative `XDG_CONFIG_HOME` counts as none. */
export function configurationFolder(environment: NodeJS.ProcessEnv): string {
  const named = environment['XDG_CONFIG_HOME'];
  return path.join(named && path.isAbsolute(named) ? named : path.join(homeFolder(), '.config'), 'troupe');
}

/** A caller as conversations know them: the person of this account by the name that their own settings give, everybody else as they are. */
export async function knownCaller(caller: Caller, folder: string): Promise<Caller> {
  const own = configurationFolder(process.env);
  if (caller.kind === 'run' || caller.name !== personHere(process.env).name) return caller;
  if (!existsSync(path.join(own, 'config.toml'))) return caller;
  const { OwnConfigFile } = await import('#adapters/settings/own-config-file.js');
  const name = await new OwnConfigFile({ folder: own, projectFolder: folder }).person();
  return name === undefined ? caller : { ...caller, name };
}
