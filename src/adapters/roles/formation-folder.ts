import { rename } from 'node:fs/promises';
import path from 'node:path';
import { boundedText, isPlainFolder, plainFolder } from '#adapters/disk/plain-files.js';
import { rejectionIn } from '#adapters/disk/unreadable-data.js';
import { writeWhole } from '#adapters/disk/whole-file.js';
import { checkedRunId, FORMATIONS, isRunId } from '#core/playbooks/formation.js';
import { gateRecordFile } from '#core/playbooks/gate-record.js';
import { TroupeError } from '#kernel/errors.js';
import { sha256 } from '#kernel/hash.js';
import { isInside } from '#kernel/paths.js';
import { inSentence } from '#kernel/text.js';
import type { FormationData, FormationFile, FormationFiles } from '#ports/formation-files.js';

/** Implements the FormationFiles port on the local disk. Nothing is cached. */
export class FormationFolder implements FormationFiles {
  private readonly project: string;

  /** `project` is the absolute path of the project. */
  constructor(project: string) {
    this.project = project;
  }

  async read(folder: string, name: string, most: number, within = this.project): Promise<FormationFile> {
    try {
      const parts = partsOf(folder, name);
      let current = within;
      for (const part of parts.slice(0, -1)) {
        current = path.join(current, part);
        if (!(await isPlainFolder(current))) return { problem: 'there is no such file' };
      }
      const text = await boundedText(path.join(within, ...parts), most);
      if (text === undefined) return { problem: 'there is no such file' };
      if (typeof text === 'number') return { problem: `it has ${text} bytes; the limit is ${most}` };
      return { text, sha256: sha256(text) };
    } catch (error) {
      if (error instanceof TroupeError) return { problem: error.message };
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EACCES' || code === 'EPERM' || code === 'ENAMETOOLONG') return { problem: 'it cannot be read' };
      throw error;
    }
  }

  async parse(text: string): Promise<FormationData> {
    const { strictYaml } = await import('#adapters/disk/strict-yaml.js');
    try {
      return { data: strictYaml(text).value };
    } catch (error) {
      const rejection = rejectionIn(error);
      const place = rejection.line === undefined ? '' : `line ${rejection.line}: `;
      return { problem: `it is not supported YAML: ${place}${rejection.message}` };
    }
  }

  async write(folder: string, name: string, text: string, within = this.project): Promise<void> {
    const parts = partsOf(folder, name);
    await this.placing(path.join(folder, name), async () => {
      const place = await plainFolder(within, ...parts.slice(0, -1));
      await writeWhole(path.join(place, parts.at(-1) ?? ''), text);
    });
  }

  async keepGateRecord(run: string, text: string): Promise<void> {
    const file = gateRecordFile(checkedRunId(run));
    await this.placing(file, async () => {
      const [graph = '', folder = '', name = ''] = file.split('/');
      await writeWhole(path.join(await plainFolder(this.project, graph, folder), name), text);
    });
  }

  async putAside(folder: string, name: string, into: string): Promise<void> {
    const [parts, target] = [partsOf(folder, name), partsOf(folder, `${into}/${name}`)];
    let current = this.project;
    for (const part of parts.slice(0, -1)) {
      current = path.join(current, part);
      if (!(await isPlainFolder(current))) return;
    }
    await this.placing(path.join(folder, name), async () => {
      const place = await plainFolder(this.project, ...target.slice(0, -1));
      await rename(path.join(current, parts.at(-1) ?? ''), path.join(place, target.at(-1) ?? '')).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOENT') throw error;
        },
      );
    });
  }

  /** Translates errors of the file system. */
  private async placing(named: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EISDIR' || code === 'ENOTEMPTY') throw outside(named);
      throw error;
    }
  }
}

/**
 * Path segments from the top of the project to a file of a run. Errors: `unsafe_path` for a path outside the folder of
 * the run.
 */
function partsOf(folder: string, name: string): readonly string[] {
  const place = path.posix.normalize(path.posix.join(folder, name));
  if (!isRunFolder(folder) || place === folder || !isInside(folder, place) || place.includes('\0')) {
    throw outside(path.posix.join(folder, name));
  }
  return place.split('/');
}

function isRunFolder(folder: string): boolean {
  const tops = Object.values(FORMATIONS).map((formation) => `${formation.folder}/runs`);
  return tops.includes(path.posix.dirname(folder)) && isRunId(path.posix.basename(folder));
}

function outside(place: string): TroupeError {
  return new TroupeError('unsafe_path', { what: `${inSentence(place)} is not a file of a run.` });
}
