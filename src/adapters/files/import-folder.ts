import { lstat, readdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { isMissing } from '#adapters/disk/safe-path.js';
import { rejectionIn } from '#adapters/disk/unreadable-data.js';
import type { ImportFile, ImportSource } from '#core/imports/imported-task.js';
import { isTrackerFile, TRACKER_FOLDERS } from '#core/imports/tracker-files.js';
import { TroupeError } from '#kernel/errors.js';
import { layoutOf } from '#kernel/graph-folder.js';
import { IMPORT_LIMITS } from '#kernel/limits/imports.js';
import { isInside } from '#kernel/paths.js';
import { inSentence } from '#kernel/text.js';
import { readTextFile } from './text-file.js';

/** Files of trackers on the local disk. */
export class ImportFolder {
  private readonly projectFolder: string;

  constructor(projectFolder: string) {
    this.projectFolder = projectFolder;
  }

  /** See `ProjectFiles.trackers`. */
  async read(named: string): Promise<ImportSource> {
    const place = path.resolve(this.projectFolder, named);
    const inProject = isInside(this.projectFolder, place);
    const name = inProject ? path.relative(this.projectFolder, place).replaceAll(path.sep, '/') || '.' : place;
    const stats = await lstat(place).catch((error) => {
      if (isMissing(error))
        throw new TroupeError('not_found', { what: `There is no ${inSentence(place)}.`, hint: 'Check the path.' });
      throw error;
    });
    if (stats.isSymbolicLink()) {
      throw new TroupeError('unsafe_path', {
        what: `${inSentence(name)} is a link.`,
        hint: 'Name the file it leads to.',
      });
    }
    const isFolder = stats.isDirectory();
    const folder = isFolder ? place : path.dirname(place);
    const inside = inProject ? this.projectFolder : folder;
    if (isFolder && !isInside(await realpath(inside), await realpath(place))) throw outside(name);
    const files = isFolder ? await this.filesIn(place) : [path.basename(place)];
    if (files.length > IMPORT_LIMITS.files) {
      throw new TroupeError('too_large', {
        what: `${inSentence(name)} has more than ${IMPORT_LIMITS.files} files.`,
        hint: 'Name a folder in it.',
      });
    }
    return {
      name,
      kind: isFolder ? 'folder' : 'file',
      files: await this.texts(folder, files, isFolder ? place : inside),
    };
  }

  /** Paths of the files in a folder that may be those of a tracker, in order. */
  private async filesIn(folder: string): Promise<string[]> {
    const own = layoutOf(this.projectFolder).folder;
    const files: string[] = [];
    for (const below of TRACKER_FOLDERS) {
      const place = path.join(folder, below);
      if (place === own) continue;
      for (const entry of await entriesOf(place)) {
        const file = path.posix.join(below, entry.name);
        if (!isTrackerFile(file)) continue;
        if (entry.isSymbolicLink())
          throw new TroupeError('unsafe_path', {
            what: `${inSentence(file)} is a link.`,
            hint: 'Replace it by the file it leads to.',
          });
        if (entry.isFile()) files.push(file);
      }
    }
    return files.sort();
  }

  /** `inside`: no link may lead out of this folder. */
  private async texts(folder: string, files: readonly string[], inside: string): Promise<ImportFile[]> {
    const texts: ImportFile[] = [];
    let room: number = IMPORT_LIMITS.bytes;
    for (const file of files) {
      const place = path.join(folder, file);
      const size = (await lstat(place)).size; // reserves no more memory than the file needs
      const content = size > room ? undefined : await readTextFile(place, size, inside);
      if (content === undefined || content.more) throw tooLarge(file);
      room -= Buffer.byteLength(content.text);
      texts.push(await parsed(file, content.text));
    }
    return texts;
  }
}

async function entriesOf(folder: string) {
  try {
    if (!(await lstat(folder)).isDirectory()) return [];
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

const FRONT = /^\ufeff?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/;

/** Parses the front matter of a Markdown file, if it has one. */
async function parsed(file: string, text: string): Promise<ImportFile> {
  const [whole, front] = /\.md$/i.test(file) ? (FRONT.exec(text) ?? []) : [];
  if (whole === undefined || front === undefined) return { path: file, text };
  const { strictYaml } = await import('#adapters/disk/strict-yaml.js');
  try {
    const { value } = strictYaml(front.replace(PEOPLE, (_, before: string, name: string) => `${before}"${name}"`));
    return { path: file, text, front: { value, body: text.slice(whole.length) } };
  } catch (error) {
    const { line, message } = rejectionIn(error);
    return { path: file, text, front: { fault: line === undefined ? message : `line ${line + 1}: ${message}` } };
  }
}

/** Names of people as Backlog.md writes them, which are no YAML without quotation marks: `@ann`, `[@ann, @bob]`. */
const PEOPLE = /(^[ \t]*(?:[\w-]+:|-)[ \t]+|[[,][ \t]*)(@[\w.-]+)(?=[ \t]*(?:\r?$|[\],]))/gm;

function tooLarge(file: string): TroupeError {
  const most = `${IMPORT_LIMITS.bytes / 1024 / 1024} MB`;
  return new TroupeError('too_large', {
    what: `${inSentence(file)}: an import reads at most ${most}.`,
    hint: 'Import a part of it.',
  });
}

function outside(name: string): TroupeError {
  return new TroupeError('unsafe_path', { what: `${inSentence(name)} is reached through a link out of the project.` });
}
