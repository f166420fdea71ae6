import { constants, lstatSync } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { type Passes, passedFrom } from '#core/runs/variables.js';
import type { ClientPrograms } from '#ports/programs.js';

/** Clients as they are installed for the person whose environment this is. */
export class LocalClientPrograms implements ClientPrograms {
  private readonly projectFolder: string;
  private readonly environment: NodeJS.ProcessEnv;

  constructor(projectFolder: string, environment: NodeJS.ProcessEnv) {
    this.projectFolder = projectFolder;
    this.environment = environment;
  }

  async find(program: string): Promise<string | undefined> {
    if (program.includes('/')) return this.runnable(path.resolve(this.projectFolder, program));
    // A relative entry of PATH would find what a repository brings along.
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

  variables(passes: Passes): Readonly<Record<string, string>> {
    return passedFrom(passes, this.environment);
  }

  private async runnable(file: string): Promise<string | undefined> {
    try {
      await access(file, constants.X_OK);
      return (await stat(file)).isFile() ? file : undefined;
    } catch {
      return undefined; // not there, or not for us
    }
  }
}
