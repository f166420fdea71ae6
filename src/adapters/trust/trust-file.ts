/**
 * Projects, commands and custom executors that this person trusts, in the settings of the person; the identity of
 * trusted folders.
 * @packageDocumentation
 */
import { existsSync, realpathSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { ProjectTrust, TrustGrant } from '#ports/trust.js';
import { type FolderIdentity, identityOfFolder, PersonFile, type PersonFileParts } from './person-file.js';

/** Git history of a folder; `undefined` or `false` if there is none. */
export interface FolderHistory {
  /** The root commit. */
  first(): Promise<string | undefined>;
  contains(commit: string): Promise<boolean>;
}

type TrustRecord = TrustGrant & FolderIdentity & { readonly first_commit?: string };

/**
 * `trusted.json` in the person's own configuration: one file for all projects, keyed by real path. Trust is valid for
 * the folder that was there then (device, inode, first commit), not for another one put in its place.
 */
export class TrustFile implements ProjectTrust {
  private readonly file: PersonFile;
  private readonly projectFolder: string;
  private readonly history: FolderHistory;

  constructor(parts: PersonFileParts & { projectFolder: string; history: FolderHistory }) {
    this.file = new PersonFile(parts, 'trusted', 'projects');
    this.projectFolder = parts.projectFolder;
    this.history = parts.history;
  }

  async read(): Promise<TrustGrant | undefined> {
    const record = this.record();
    if (record === undefined || !(await this.isOf(record))) return undefined;
    const { device: _, inode: _i, first_commit: _c, ...trusted } = record;
    return trusted;
  }

  async isOfAnother(): Promise<boolean> {
    const record = this.record();
    return record !== undefined && !(await this.isOf(record));
  }

  async give(trusted: TrustGrant): Promise<void> {
    const key = this.key();
    const first = await this.history.first();
    const record = { ...trusted, ...identityOfFolder(key), ...(first === undefined ? {} : { first_commit: first }) };
    await this.file.change((projects) => ({ ...present(projects), [key]: record }));
  }

  private record(): TrustRecord | undefined {
    return understood(this.file.read())[this.key()];
  }

  private async isOf({ device, inode, first_commit: first }: TrustRecord): Promise<boolean> {
    const now = identityOfFolder(this.key());
    if (now.device !== device || now.inode !== inode) return false;
    return first === undefined || (await this.history.contains(first));
  }

  async withdraw(): Promise<boolean> {
    const key = this.key();
    if (understood(this.file.read())[key] === undefined) return false;
    await this.file.change((projects) => {
      const { [key]: _, ...others } = present(projects);
      return others;
    });
    return true;
  }

  /**
   * Real path of the project: a path that leads here through links is the same project, a link placed over it is not.
   */
  private key(): string {
    return realpathSync(this.projectFolder);
  }
}

function understood(projects: JsonObject): Record<string, TrustRecord> {
  return Object.fromEntries(Object.entries(projects).filter((entry): entry is [string, never] => isTrusted(entry[1])));
}

/** Trusted projects whose folders exist. */
function present(projects: JsonObject): Record<string, TrustRecord> {
  return Object.fromEntries(Object.entries(understood(projects)).filter(([folder]) => existsSync(folder)));
}

function isTrusted(value: unknown): value is TrustRecord {
  return (
    isJsonObject(value) &&
    typeof value['at'] === 'string' &&
    typeof value['commands'] === 'number' &&
    typeof value['sha256'] === 'string' &&
    typeof value['device'] === 'string' &&
    typeof value['inode'] === 'string'
  );
}
