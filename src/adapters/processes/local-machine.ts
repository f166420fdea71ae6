import { lstatSync } from 'node:fs';
import path from 'node:path';
import { homeFolder } from '#adapters/disk/home-folder.js';
import type { PersonalFile } from '#core/runs/sign-in.js';
import type { Machine } from '#ports/machine.js';

/** The machine of the person to whom the environment belongs. */
export class LocalMachine implements Machine {
  readonly node = process.versions.node;
  private readonly environment: NodeJS.ProcessEnv;

  constructor(environment: NodeJS.ProcessEnv) {
    this.environment = environment;
  }

  holds({ folder, name, moved }: PersonalFile): boolean {
    const named = moved === undefined ? undefined : this.environment[moved];
    const place = named || path.join(this.environment['HOME'] || homeFolder(), folder);
    try {
      lstatSync(path.join(place, name));
      return true;
    } catch {
      return false; // missing, not below a folder, or inaccessible: no login that we could find
    }
  }
}
