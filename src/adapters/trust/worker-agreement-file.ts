import { realpathSync } from 'node:fs';
import { isJsonObject } from '#kernel/json.js';
import type { WorkerAgreement } from '#ports/trust.js';
import { identityOfFolder, PersonFile, type PersonFileParts, presentFolders } from './person-file.js';

/** `workers.json` in the person's own configuration: by the real path of a project, for the folder that lay there and one database. */
export class WorkerAgreementFile implements WorkerAgreement {
  private readonly file: PersonFile;
  private readonly projectFolder: string;

  constructor(parts: PersonFileParts & { readonly projectFolder: string }) {
    this.file = new PersonFile(parts, 'workers', 'projects');
    this.projectFolder = parts.projectFolder;
  }

  holds(database: string): boolean {
    const row = this.file.read()[this.key()];
    const { device, inode } = identityOfFolder(this.projectFolder);
    return isJsonObject(row) && row['device'] === device && row['inode'] === inode && row['database'] === database;
  }

  async give(database: string): Promise<void> {
    const agreed = { database, ...identityOfFolder(this.projectFolder) };
    await this.file.change((projects) => ({ ...presentFolders(projects), [this.key()]: agreed }));
  }

  private key(): string {
    return realpathSync(this.projectFolder);
  }
}
