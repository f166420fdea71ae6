import { lstat } from 'node:fs/promises';
import path from 'node:path';
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
}
