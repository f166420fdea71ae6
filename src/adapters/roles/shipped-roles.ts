import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Starter } from '#core/roles/starters.js';
import { TroupeError } from '#kernel/errors.js';
import type { RoleStarters } from '#ports/role-starters.js';

/** The files of `data/roles`. */
export class ShippedRoles implements RoleStarters {
  private readonly folder: string;

  /** `folder` is the absolute path of `data/roles`. */
  constructor(folder: string) {
    this.folder = folder;
  }

  async text(name: Starter): Promise<string> {
    try {
      return await readFile(path.join(this.folder, `${name}.md`), 'utf8');
    } catch (cause) {
      throw new TroupeError('unreadable', { what: `data/roles/${name}.md cannot be read.`, cause });
    }
  }
}
