import { realpathSync } from 'node:fs';
import { isJsonObject, type JsonObject } from '#kernel/json.js';
import type { LeaderCard } from '#ports/leader-seal.js';
import type { AgreedLeader, WorkerAgreement } from '#ports/trust.js';
import { identityOfFolder, PersonFile, type PersonFileParts, presentFolders } from './person-file.js';

/**
 * `workers.json` in the person's own configuration, keyed by the real path of a project; each entry is valid for the
 * folder that was there then and for one database.
 */
export class WorkerAgreementFile implements WorkerAgreement {
  private readonly file: PersonFile;
  private readonly projectFolder: string;

  constructor(parts: PersonFileParts & { readonly projectFolder: string }) {
    this.file = new PersonFile(parts, 'workers', 'projects');
    this.projectFolder = parts.projectFolder;
  }

  leaders(database: string): readonly AgreedLeader[] | undefined {
    const row = this.rowIn(this.file.read(), database);
    return row === undefined ? undefined : leadersIn(row);
  }

  async give(database: string, added: readonly LeaderCard[]): Promise<void> {
    await this.change(database, (known) => [
      ...known.filter(({ key }) => !added.some((leader) => leader.key === key)),
      ...added.map(({ key, name, at }) => ({ key, name, at })),
    ]);
  }

  async withdraw(database: string, key: string): Promise<boolean> {
    if (this.leaders(database)?.some((leader) => leader.key === key) !== true) return false;
    await this.change(database, (known) => known.filter((leader) => leader.key !== key));
    return true;
  }

  /** Applies `edit` to the current file, so that concurrent changes of other processes are kept. */
  private async change(
    database: string,
    edit: (known: readonly AgreedLeader[]) => readonly AgreedLeader[],
  ): Promise<void> {
    await this.file.change((projects) => {
      const row = this.rowIn(projects, database);
      const leaders = edit(row === undefined ? [] : leadersIn(row));
      const agreed = { database, ...identityOfFolder(this.projectFolder), leaders };
      return { ...presentFolders(projects), [this.key()]: agreed };
    });
  }

  private rowIn(projects: JsonObject, database: string): JsonObject | undefined {
    const row = projects[this.key()];
    const { device, inode } = identityOfFolder(this.projectFolder);
    const isSame = isJsonObject(row) && row['device'] === device && row['inode'] === inode;
    return isSame && row['database'] === database ? row : undefined;
  }

  private key(): string {
    return realpathSync(this.projectFolder);
  }
}

/** Agreed leaders; invalid entries are left out. */
function leadersIn({ leaders }: JsonObject): readonly AgreedLeader[] {
  if (!Array.isArray(leaders)) return [];
  return leaders.flatMap((leader) => {
    if (!isJsonObject(leader)) return [];
    const { key, name, at } = leader;
    return typeof key === 'string' && typeof name === 'string' && typeof at === 'string' ? [{ key, name, at }] : [];
  });
}
