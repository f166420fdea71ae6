import { realpathSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { ChosenDatabase, DatabaseChoice } from '#ports/storage.js';
import { identityOfFolder, PersonFile, type PersonFileParts, presentFolders } from './person-file.js';

/**
 * `databases.json` in the person's own configuration, keyed by the real path of a project and valid for the folder that
 * was there then. Private, because an address may contain a password.
 */
export class DatabaseChoiceFile implements DatabaseChoice {
  private readonly file: PersonFile;
  private readonly projectFolder: string;

  constructor(parts: PersonFileParts & { readonly projectFolder: string }) {
    this.file = new PersonFile(parts, 'databases', 'projects');
    this.projectFolder = parts.projectFolder;
  }

  read(): ChosenDatabase | undefined {
    const row = this.file.read()[this.key()];
    const { device, inode } = identityOfFolder(this.projectFolder);
    if (!isJsonObject(row) || row['device'] !== device || row['inode'] !== inode) return undefined;
    return chosenIn(row);
  }

  async choose({ project, address }: ChosenDatabase): Promise<void> {
    const chosen = { project, ...(address === undefined ? {} : { address }), ...identityOfFolder(this.projectFolder) };
    await this.file.change((projects) => ({ ...presentFolders(projects), [this.key()]: chosen }));
  }

  async forget(): Promise<void> {
    const key = this.key();
    if (this.file.read()[key] === undefined) return;
    await this.file.change((projects) => {
      const { [key]: _gone, ...others } = presentFolders(projects);
      return others;
    });
  }

  private key(): string {
    return realpathSync(this.projectFolder);
  }
}

function chosenIn(row: JsonObject): ChosenDatabase | undefined {
  const { project, address } = row;
  if (typeof project !== 'string') return undefined;
  return typeof address === 'string' ? { project, address } : { project };
}
