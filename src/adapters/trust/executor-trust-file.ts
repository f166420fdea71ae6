import { realpathSync } from 'node:fs';
import { isJsonObject, type Json } from '#kernel/json.js';
import type { ExecutorTrust, TrustedExecutor } from '#ports/trust.js';
import { PersonFile, type PersonFileParts, presentFolders } from './person-file.js';

/** `trusted-executors.json` in the person's own configuration, keyed by the real path of a project, then by name. */
export class ExecutorTrustFile implements ExecutorTrust {
  private readonly file: PersonFile;
  private readonly projectFolder: string;

  constructor(parts: PersonFileParts & { projectFolder: string }) {
    this.file = new PersonFile(parts, 'trusted-executors', 'projects');
    this.projectFolder = parts.projectFolder;
  }

  async all(): Promise<ReadonlyMap<string, TrustedExecutor>> {
    return executorsOf(this.file.read()[this.key()]);
  }

  async give(name: string, { sha256, at }: TrustedExecutor): Promise<void> {
    const key = this.key();
    await this.file.change((projects) => {
      const executors = new Map([...executorsOf(projects[key]), [name, { sha256, at }]]);
      return { ...presentFolders(projects), [key]: Object.fromEntries(executors) };
    });
  }

  async withdraw(name: string): Promise<boolean> {
    const key = this.key();
    if (!executorsOf(this.file.read()[key]).has(name)) return false;
    await this.file.change((projects) => {
      const executors = new Map(executorsOf(projects[key]));
      executors.delete(name);
      return { ...presentFolders(projects), [key]: Object.fromEntries(executors) };
    });
    return true;
  }

  private key(): string {
    return realpathSync(this.projectFolder);
  }
}

function executorsOf(value: Json | undefined): ReadonlyMap<string, TrustedExecutor> {
  if (!isJsonObject(value)) return new Map();
  const entries = Object.entries(value).flatMap(([name, entry]) => {
    if (!isJsonObject(entry) || typeof entry['sha256'] !== 'string' || typeof entry['at'] !== 'string') return [];
    return [[name, { sha256: entry['sha256'], at: entry['at'] }] as const];
  });
  return new Map(entries);
}
