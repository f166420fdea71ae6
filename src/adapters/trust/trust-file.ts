import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { Clock } from '#kernel/clock.js';
import { knownError, TroupeError } from '#kernel/errors.js';
import { isJsonObject, parseJsonObject } from '#kernel/json.js';
import type { Processes } from '#ports/processes.js';
import type { ProjectTrust, Trusted } from '#ports/project-trust.js';

type Projects = Record<string, Trusted>;

/** One file for all projects of this person, by their real paths: `trusted.json` in the person's own configuration. */
export class TrustFile implements ProjectTrust {
  private readonly folder: string;
  private readonly projectFolder: string;
  private readonly processes: Processes;
  private readonly clock: Clock;

  constructor(parts: { folder: string; projectFolder: string; processes: Processes; clock: Clock }) {
    this.folder = parts.folder;
    this.projectFolder = parts.projectFolder;
    this.processes = parts.processes;
    this.clock = parts.clock;
  }

  async read(): Promise<Trusted | undefined> {
    return this.projects()[this.key()];
  }

  async give(trusted: Trusted): Promise<void> {
    await this.change((projects) => {
      projects[this.key()] = trusted;
    });
  }

  async withdraw(): Promise<boolean> {
    const key = this.key();
    if (this.projects()[key] === undefined) return false;
    await this.change((projects) => {
      delete projects[key];
    });
    return true;
  }

  private get file(): string {
    return path.join(this.folder, 'trusted.json');
  }

  /** Links are resolved: a path that leads here by another way is the same project, a link laid over it is not. */
  private key(): string {
    return realpathSync(this.projectFolder);
  }

  /** What cannot be read or understood trusts nobody: that asks once too often and runs nothing. */
  private projects(): Projects {
    let text: string;
    try {
      text = readFileSync(this.file, 'utf8');
    } catch {
      return {};
    }
    const projects = parseJsonObject(text)?.['projects'];
    if (!isJsonObject(projects)) return {};
    return Object.fromEntries(
      Object.entries(projects).filter((entry): entry is [string, never] => isTrusted(entry[1])),
    );
  }

  /** One changer at a time; readers see the old file or the new one. Projects that are gone are forgotten on the way. */
  private async change(edit: (projects: Projects) => void): Promise<void> {
    try {
      mkdirSync(this.folder, { recursive: true, mode: 0o700 });
      chmodSync(this.folder, 0o700);
      const lock = this.processes.lock(path.join(this.folder, 'trusted.lock'), this.clock);
      await lock.acquire();
      try {
        const there = Object.entries(this.projects()).filter(([folder]) => existsSync(folder));
        const projects: Projects = Object.fromEntries(there);
        edit(projects);
        this.replace(`${JSON.stringify({ version: 1, projects }, null, 2)}\n`);
      } finally {
        lock.release();
      }
    } catch (error) {
      const known = knownError(error);
      if (known.code === 'internal') throw error;
      throw new TroupeError(known.code, {
        what: `${this.file} cannot be written: ${known.why ?? known.message}`,
        cause: error,
      });
    }
  }

  private replace(text: string): void {
    const draft = `${this.file}.draft`;
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { mode: 0o600, flag: 'wx', flush: true });
    renameSync(draft, this.file);
  }
}

function isTrusted(value: unknown): value is Trusted {
  return (
    isJsonObject(value) &&
    typeof value['at'] === 'string' &&
    typeof value['commands'] === 'number' &&
    typeof value['sha256'] === 'string'
  );
}
