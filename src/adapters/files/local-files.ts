import { type FileHandle, lstat, open } from 'node:fs/promises';
import path from 'node:path';
import { TroupeError } from '#kernel/errors.js';
import type { FileFact, ProjectFiles } from '#ports/project-files.js';

/** The ProjectFiles port on this machine's disk. */
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

  async data(file: string, most: number): Promise<unknown> {
    const text = await readText(path.resolve(this.projectFolder, file), most);
    const { parse } = await import('yaml'); // JSON is YAML
    try {
      return parse(text, { maxAliasCount: 0, uniqueKeys: true });
    } catch (error) {
      throw new TroupeError('bad_input', {
        what: `${file.slice(0, 200)} cannot be read as YAML: ${(error as Error).message.split('\n')[0]}`,
        hint: 'Mend the line named above.',
      });
    }
  }
}

async function readText(file: string, most: number): Promise<string> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    const buffer = Buffer.alloc(most + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
      length += bytesRead;
      if (bytesRead === 0 || length > most) break;
    }
    if (length > most) throw new TroupeError('too_large', { what: `${file} is larger than ${most} bytes.` });
    return buffer.toString('utf8', 0, length);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT')
      throw new TroupeError('not_found', { what: `There is no file ${file}.`, hint: 'Check the path.' });
    if (code === 'EISDIR' || code === 'EACCES')
      throw new TroupeError('unreadable', { what: `${file} cannot be read.` });
    throw error;
  } finally {
    await handle?.close();
  }
}
