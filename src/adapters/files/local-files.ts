/**
 * Files and pages that a person or a task names: files to wait for, output files, exports and imports, public addresses.
 * @packageDocumentation
 */
import { createHash, randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { rejectionIn } from '#adapters/disk/unreadable-data.js';
import type { FileFact } from '#core/graph/wait.js';
import type { ImportSource } from '#core/imports/imported-task.js';
import { TroupeError } from '#kernel/errors.js';
import { SHARED_FILE } from '#kernel/file-modes.js';
import { FROM_PROJECT, GRAPH_FOLDER, layoutOf } from '#kernel/graph-folder.js';
import { isInside } from '#kernel/paths.js';
import type { ProjectFiles } from '#ports/project-files.js';
import { readTextFile } from './text-file.js';

/** Implements the ProjectFiles port on the local disk. */
export class LocalFiles implements ProjectFiles {
  private readonly projectFolder: string;

  constructor(projectFolder: string) {
    this.projectFolder = projectFolder;
  }

  async fact(inside: string): Promise<FileFact> {
    try {
      const { mtimeMs, size } = await lstat(path.join(this.projectFolder, inside));
      return { mtime: Math.round(mtimeMs), size };
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EACCES') return { mtime: 0, size: 0 };
      throw error;
    }
  }

  async fingerprint(inside: string, most: number, within = this.projectFolder): Promise<string | undefined> {
    const hash = createHash('sha256');
    const reading = await readInside(within, inside, most, (piece) => hash.update(piece));
    return reading === 'whole' ? hash.digest('hex') : undefined;
  }

  async bytes(
    inside: string,
    most: number,
    within = this.projectFolder,
  ): Promise<Uint8Array | 'too-large' | undefined> {
    const pieces: Uint8Array[] = [];
    const reading = await readInside(within, inside, most, (piece) => pieces.push(piece));
    if (reading === 'whole') return Buffer.concat(pieces);
    return reading === 'too-large' ? reading : undefined;
  }

  async data(file: string, most: number): Promise<unknown> {
    const content = await readTextFile(path.resolve(this.projectFolder, file), most);
    const named = file.slice(0, 200);
    if (!content) throw new TroupeError('not_found', { what: `There is no file ${named}.`, hint: 'Check the path.' });
    if (content.more) throw new TroupeError('too_large', { what: `${named} is larger than ${most} bytes.` });
    const { strictYaml } = await import('#adapters/disk/strict-yaml.js'); // JSON is YAML
    try {
      return strictYaml(content.text).value;
    } catch (error) {
      const rejection = rejectionIn(error);
      const place = rejection.line === undefined ? '' : `line ${rejection.line}: `;
      throw new TroupeError('bad_input', {
        what: `${named} cannot be read as YAML: ${place}${rejection.message}`,
        hint: 'Fix the line named above.',
      });
    }
  }

  async trackers(named: string): Promise<ImportSource> {
    const { ImportFolder } = await import('./import-folder.js');
    return await new ImportFolder(this.projectFolder).read(named);
  }

  async text(inside: string, most: number): Promise<string | undefined> {
    return (await readTextFile(path.join(this.projectFolder, inside), most, this.projectFolder))?.text;
  }

  async writeContext(text: string): Promise<string> {
    const { folder, context } = layoutOf(this.projectFolder);
    const stats = await lstat(folder).catch(() => undefined);
    if (!stats?.isDirectory())
      throw new TroupeError('unsafe_path', { what: `${GRAPH_FOLDER} is not a folder of its own.` });
    const draft = path.join(path.dirname(context), `.${randomUUID()}.draft`);
    try {
      await writeFile(draft, text, { flag: 'wx', mode: SHARED_FILE, flush: true });
      await rename(draft, context); // replaces a link in its place instead of following it
    } finally {
      await rm(draft, { force: true });
    }
    return FROM_PROJECT.context;
  }
}

const NOT_THERE: ReadonlySet<string | undefined> = new Set(['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP', 'ENXIO']);

/**
 * Reads a regular file inside a folder chunk by chunk. `none`: no such file, or no regular one. `too-large`: more than
 * `most` bytes; the chunks passed so far must then be ignored.
 */
async function readInside(
  folder: string,
  inside: string,
  most: number,
  take: (piece: Uint8Array) => void,
): Promise<'whole' | 'none' | 'too-large'> {
  try {
    const real = await realpath(path.resolve(folder, inside));
    if (!isInside(await realpath(folder), real)) return 'none';
    const file = await open(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return 'none';
      let read = 0;
      for await (const piece of file.createReadStream({ autoClose: false })) {
        read += (piece as Buffer).length;
        if (read > most) return 'too-large';
        take(piece as Buffer);
      }
      return 'whole';
    } finally {
      await file.close();
    }
  } catch (error) {
    if (NOT_THERE.has((error as NodeJS.ErrnoException).code)) return 'none';
    throw error;
  }
}
