import { existsSync, realpathSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { ProjectTrust, Trusted } from '#ports/project-trust.js';
import { PersonFile, type PersonFileParts } from './person-file.js';

/** One file for all projects of this person, by their real paths: `trusted.json` in the person's own configuration. */
export class TrustFile implements ProjectTrust {
  private readonly file: PersonFile;
  private readonly projectFolder: string;

  constructor(parts: PersonFileParts & { projectFolder: string }) {
    this.file = new PersonFile(parts, 'trusted', 'projects');
    this.projectFolder = parts.projectFolder;
  }

  async read(): Promise<Trusted | undefined> {
    return understood(this.file.read())[this.key()];
  }

  async give(trusted: Trusted): Promise<void> {
    const key = this.key();
    await this.file.change((found) => ({ ...present(found), [key]: trusted }));
  }

  async withdraw(): Promise<boolean> {
    const key = this.key();
    if (understood(this.file.read())[key] === undefined) return false;
    await this.file.change((found) => {
      const { [key]: _, ...others } = present(found);
      return others;
    });
    return true;
  }

  /** Links are resolved: a path that leads here by another way is the same project, a link laid over it is not. */
  private key(): string {
    return realpathSync(this.projectFolder);
  }
}

function understood(projects: JsonObject): Record<string, Trusted> {
  return Object.fromEntries(Object.entries(projects).filter((entry): entry is [string, never] => isTrusted(entry[1])));
}

/** Projects that are gone are forgotten on the way. */
function present(projects: JsonObject): Record<string, Trusted> {
  return Object.fromEntries(Object.entries(understood(projects)).filter(([folder]) => existsSync(folder)));
}

function isTrusted(value: unknown): value is Trusted {
  return (
    isJsonObject(value) &&
    typeof value['at'] === 'string' &&
    typeof value['commands'] === 'number' &&
    typeof value['sha256'] === 'string'
  );
}
