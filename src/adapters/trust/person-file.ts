import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makePersonalFolder } from '#adapters/disk/personal-folder.js';
import type { Clock } from '#kernel/clock.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { PRIVATE_FILE, PRIVATE_FOLDER } from '#kernel/file-modes.js';
import { isJsonObject, type JsonObject, parseJsonObject } from '#kernel/json.js';
import type { Processes } from '#ports/processes.js';

export interface PersonFileParts {
  /** The person's own configuration folder, outside every repository. */
  readonly folder: string;
  readonly processes: Processes;
  readonly clock: Clock;
}

/** A private JSON file `{ version, [part]: { … } }` of a person. Replaced atomically; a lock serialises changes. */
export class PersonFile {
  private readonly file: string;
  private readonly part: string;
  private readonly parts: PersonFileParts;

  constructor(parts: PersonFileParts, name: string, part: string) {
    this.parts = parts;
    this.file = path.join(parts.folder, `${name}.json`);
    this.part = part;
  }

  /**
   * Contents of the part. An unreadable or invalid file counts as empty: the person is then asked again, and nothing
   * runs untrusted.
   */
  read(): JsonObject {
    let text: string;
    try {
      text = readFileSync(this.file, 'utf8');
    } catch {
      return {};
    }
    const value = parseJsonObject(text)?.[this.part];
    return isJsonObject(value) ? value : {};
  }

  /** Replaces the contents with the result of `edit`. */
  async change(edit: (current: JsonObject) => object): Promise<void> {
    const { folder, processes, clock } = this.parts;
    try {
      makePersonalFolder(folder);
      chmodSync(folder, PRIVATE_FOLDER);
      const lock = processes.lock(this.file.replace(/\.json$/, '.lock'), clock);
      await lock.acquire();
      try {
        this.replace(`${JSON.stringify({ version: 1, [this.part]: edit(this.read()) }, null, 2)}\n`);
      } finally {
        lock.release();
      }
    } catch (error) {
      const failure = asTroupeError(error);
      if (failure.code === 'internal') throw error;
      throw new TroupeError(failure.code, {
        what: `${this.file} cannot be written: ${failure.why ?? failure.message}`,
        hint: failure.hint,
        cause: error,
      });
    }
  }

  private replace(text: string): void {
    const draft = `${this.file}.draft`;
    rmSync(draft, { force: true });
    writeFileSync(draft, text, { mode: PRIVATE_FILE, flag: 'wx', flush: true });
    renameSync(draft, this.file);
  }
}

/** Identity of a folder in the file system: another folder created later at the same path has a different one. */
export interface FolderIdentity {
  readonly device: string;
  readonly inode: string;
}

export function identityOfFolder(folder: string): FolderIdentity {
  const { dev, ino } = statSync(folder, { bigint: true });
  return { device: String(dev), inode: String(ino) };
}

/** Entries whose folders exist: removed projects are dropped with the next change. */
export function presentFolders(projects: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(projects).filter(([folder]) => existsSync(folder)));
}
