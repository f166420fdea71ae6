import { lstatSync, readdirSync, statSync } from 'node:fs';
import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { byId } from '#kernel/order.js';
import type { ListedEntry, ProjectEntry, ProjectKind, WorkflowFiles } from '#ports/workflow-files.js';
import { NOTHING_AHEAD } from './parsed-ahead.js';
import { readYaml } from './yaml-file.js';

const FOLDERS = ['.squad', '.agentweaver'];
const ID = /^[a-z0-9][a-z0-9-]{0,39}$/;

/** Workflows and policies of one project, one YAML file each. Nothing is cached. */
export class ProjectEntries implements WorkflowFiles {
  private readonly project: string;

  /** `project` is the absolute path of the folder that holds `.squad/`. */
  constructor(project: string) {
    this.project = project;
  }

  stamp(kind: ProjectKind): string {
    const marks = FOLDERS.flatMap((folder) => {
      const place = path.join(this.project, folder, kind);
      return namesIn(place).map((name) => `${name} ${markOf(path.join(place, name))}`);
    });
    return marks.join('\n');
  }

  async list(kind: ProjectKind): Promise<ListedEntry[]> {
    const listed = new Map<string, ListedEntry>();
    for (const folder of FOLDERS) {
      for (const id of await this.idsIn(`${folder}/${kind}`)) {
        if (!listed.has(id)) listed.set(id, await this.listed(`${folder}/${kind}/${id}.yaml`, id));
      }
    }
    return [...listed.values()].sort(byId);
  }

  async read(kind: ProjectKind, id: string): Promise<ProjectEntry | undefined> {
    if (!ID.test(id)) return undefined;
    for (const folder of FOLDERS) {
      const name = `${folder}/${kind}/${id}.yaml`;
      if (await exists(path.join(this.project, name))) return await this.entry(name, id);
    }
    return undefined;
  }

  private async listed(name: string, id: string): Promise<ListedEntry> {
    try {
      return await this.entry(name, id);
    } catch (error) {
      if (!(error instanceof TroupeError)) throw error;
      return { id, file: name, error };
    }
  }

  private async entry(name: string, id: string): Promise<ProjectEntry> {
    // A link, even a committed one, could point outside the project.
    const place = path.join(await realpath(this.project), name);
    if ((await realpath(path.join(this.project, name)).catch(() => undefined)) !== place) {
      throw new TroupeError('unsafe_path', { what: `${name} is a link: it is not read.` });
    }
    const file = await readYaml(this.project, name, NOTHING_AHEAD);
    const { mtimeMs } = await lstat(place);
    return { id, file, sha256: sha256(JSON.stringify(file.value)), changedAt: mtimeMs };
  }

  private async idsIn(folder: string): Promise<string[]> {
    let names: string[];
    try {
      names = await readdir(path.join(this.project, folder));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === 'ENOENT' || code === 'ENOTDIR') return [];
      throw new TroupeError('unreadable', { what: `The folder ${folder} cannot be read.`, cause: error });
    }
    const ids = names.flatMap((name) => (name.endsWith('.yaml') ? [name.slice(0, -'.yaml'.length)] : []));
    return ids
      .filter((id) => ID.test(id))
      .sort()
      .slice(0, TEAM_LIMITS.projectEntries);
  }
}

/** YAML files of a folder. A missing or inaccessible folder counts as empty: reading it reports the reason. */
function namesIn(folder: string): string[] {
  try {
    if (statSync(folder, { throwIfNoEntry: false }) === undefined) return [];
    return readdirSync(folder)
      .filter((name) => name.endsWith('.yaml'))
      .sort()
      .slice(0, TEAM_LIMITS.projectEntries);
  } catch {
    return [];
  }
}

function markOf(file: string): string {
  try {
    const { ino, size, mtimeMs } = lstatSync(file);
    return `${ino}:${size}:${mtimeMs}`;
  } catch {
    return '-'; // removed between two calls
  }
}

async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}
