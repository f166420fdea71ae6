// Paths of the program and of the person, and the person's configured name.

import { existsSync } from 'node:fs';
import path from 'node:path';
import { homeFolder } from '#adapters/disk/home-folder.js';
import { personHere } from '#adapters/processes/caller-from.js';
import type { Caller } from '#ports/callers.js';

/** The package's own folder: above `dist/` when built, above `src/main/` when run from source. */
const PACKAGE_FOLDER = packageFolder(import.meta.dirname);

function packageFolder(here: string): string {
  return path.basename(here) === 'chunks'
    ? path.resolve(here, '../..')
    : path.resolve(here, path.basename(here) === 'main' ? '../..' : '..');
}

export const PLACES = {
  /** The shipped catalog. */
  catalog: path.join(PACKAGE_FOLDER, 'data', 'catalog'),
  /** The catalog parsed by the build. */
  catalogAhead: path.join(PACKAGE_FOLDER, 'dist', 'catalog.json.br'),
  /** Migrations of teams.db. */
  teams: path.join(PACKAGE_FOLDER, 'data', 'teams'),
  /** Migrations of a project's tables in a PostgreSQL database. */
  database: path.join(PACKAGE_FOLDER, 'data', 'database'),
  /** Wording of prompts. */
  prompts: path.join(PACKAGE_FOLDER, 'data', 'prompts'),
  /** Prices of models. */
  prices: path.join(PACKAGE_FOLDER, 'data', 'prices.json'),
  /** Starter roles and trade-offs of a new agency. */
  agency: path.join(PACKAGE_FOLDER, 'data', 'agency'),
  /** Starter roles. */
  roles: path.join(PACKAGE_FOLDER, 'data', 'roles'),
  /** Troupe's own command, for tasks that call it. */
  command: path.join(PACKAGE_FOLDER, 'dist', 'cli.cjs'),
  service: path.join(PACKAGE_FOLDER, 'dist', 'service.cjs'),
  /** The run program. */
  run: path.join(PACKAGE_FOLDER, 'dist', 'run.cjs'),
  web: path.join(PACKAGE_FOLDER, 'dist', 'web'),
} as const;

/** Private folder for sockets whose path in the project would be too long. A relative `XDG_RUNTIME_DIR` is ignored. */
export function runtimeFolder(environment: NodeJS.ProcessEnv): string {
  const named = environment['XDG_RUNTIME_DIR'];
  return named && path.isAbsolute(named) ? named : path.join(homeFolder(), '.cache', 'troupe', 'run');
}

/** Folder of this person's own settings. A relative `XDG_CONFIG_HOME` is ignored. */
export function configurationFolder(environment: NodeJS.ProcessEnv): string {
  const named = environment['XDG_CONFIG_HOME'];
  return path.join(named && path.isAbsolute(named) ? named : path.join(homeFolder(), '.config'), 'troupe');
}

/**
 * Replaces the name of the person of this account with the one in their own settings; other callers are returned
 * unchanged.
 */
export async function knownCaller(caller: Caller, folder: string): Promise<Caller> {
  const own = configurationFolder(process.env);
  if (caller.kind === 'run' || caller.name !== personHere(process.env).name) return caller;
  if (!existsSync(path.join(own, 'config.toml'))) return caller;
  const { OwnConfigFile } = await import('#adapters/settings/own-config-file.js');
  const name = await new OwnConfigFile({ folder: own, projectFolder: folder }).person();
  return name === undefined ? caller : { ...caller, name };
}
