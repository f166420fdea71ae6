/**
 * Projects, commands and custom executors that this person trusts, in the settings of the person; the identity of
 * trusted folders.
 * @packageDocumentation
 */
import { existsSync, realpathSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { ProjectTrust, TrustGrant } from '#ports/trust.js';
import { type FolderIdentity, identityOfFolder, PersonFile, type PersonFileParts } from './person-file.js';

/** What git says of the history of a folder; both `undefined` or `false` where it says nothing. */
export interface FolderHistory {
  /** The commit everything in it began with. */
  first(): Promise<string | undefined>;
  contains(commit: string): Promise<boolean>;
}

type TrustRecord = TrustGrant & FolderIdentity & { readonly first_commit?: string };

/**
 * One file for all projects of this person, by their real paths: `trusted.json` in the person's own configuration. It speaks
 * of the folder that lay there (device, inode, first commit), not of what somebody puts in its place.
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

  /** Links are resolved: a path that leads here by another way is the same project, a link laid over it is not. */
  private key(): string {
    return realpathSync(this.projectFolder);
  }
}

function understood(projects: JsonObject): Record<string, TrustRecord> {
  return Object.fromEntries(Object.entries(projects).filter((entry): entry is [string, never] => isTrusted(entry[1])));
}

/** Projects that are gone are forgotten on the way. */
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
