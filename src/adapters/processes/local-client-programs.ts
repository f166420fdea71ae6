import { constants, lstatSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { homeFolder } from '#adapters/disk/home-folder.js';
import { boundedText } from '#adapters/disk/plain-files.js';
import { UnreadableData } from '#adapters/disk/unreadable-data.js';
import { CLIENT_HOMES } from '#core/runs/client-homes.js';
import { type OwnParts, ownParts, PART_FILES, type Switchable } from '#core/runs/own-parts.js';
import { type Passes, passedFrom } from '#core/runs/variables.js';
import { type JsonObject, parseJsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { ClientPrograms } from '#ports/programs.js';

/** Clients installed for the person to whom the environment belongs. */
export class LocalClientPrograms implements ClientPrograms {
  private readonly projectFolder: string;
  private readonly environment: NodeJS.ProcessEnv;

  constructor(projectFolder: string, environment: NodeJS.ProcessEnv) {
    this.projectFolder = projectFolder;
    this.environment = environment;
  }

  async find(program: string): Promise<string | undefined> {
    if (program.includes('/')) return this.runnable(path.resolve(this.projectFolder, program));
    // A relative entry of PATH would find programs in a repository.
    const folders = (this.environment['PATH'] ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
    for (const folder of folders) {
      const file = await this.runnable(path.join(folder, program));
      if (file !== undefined) return file;
    }
    return undefined;
  }

  async firstOf(folder: string, paths: readonly string[]): Promise<string | undefined> {
    for (const inner of paths) if (lstatSync(path.join(folder, inner), { throwIfNoEntry: false })) return inner;
    return undefined;
  }

  async ownParts(client: Switchable): Promise<OwnParts> {
    const [home] = CLIENT_HOMES[client].folders;
    const named = home.variable === undefined ? undefined : this.environment[home.variable];
    const folder = named ?? path.join(this.environment['HOME'] || homeFolder(), home.folder);
    const tables = PART_FILES[client].map(async (name) => [name, await tableIn(path.join(folder, name))] as const);
    return ownParts(client, Object.fromEntries(await Promise.all(tables)));
  }

  variables(passes: Passes): Readonly<Record<string, string>> {
    return passedFrom(passes, this.environment);
  }

  private async runnable(file: string): Promise<string | undefined> {
    try {
      await access(file, constants.X_OK);
      return (await stat(file)).isFile() ? file : undefined;
    } catch {
      return undefined; // missing, or not executable for us
    }
  }
}

/**
 * Parses a JSON or TOML file of the person; undefined if it is missing, too large or invalid, which its client reports
 * itself.
 */
async function tableIn(file: string): Promise<JsonObject | undefined> {
  try {
    const text = await boundedText(file, TEAM_LIMITS.settingsFileBytes, 'followed');
    if (typeof text !== 'string') return undefined;
    if (file.endsWith('.json')) return parseJsonObject(text);
    const { strictToml } = await import('#adapters/disk/strict-toml.js');
    return strictToml(text);
  } catch (error) {
    const isOfDisk = (error as NodeJS.ErrnoException).code !== undefined;
    if (isOfDisk || error instanceof UnreadableData) return undefined;
    throw error;
  }
}
