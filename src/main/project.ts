import { holdsGraph } from '#adapters/store/files/paths.js';
import { TroupeError } from '#kernel/errors.js';
import { layoutOf } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import type { Project } from '#ports/project.js';

/** The project of a folder, an absolute path, whether it has a graph already or not. */
export function projectAt(folder: string): Project {
  return {
    get id() {
      return sha256(folder).slice(0, 32); // most commands need none
    },
    layout: layoutOf(folder),
    store: { kind: 'files' },
    folder,
  };
}

export function hasGraph({ layout }: Project): boolean {
  return holdsGraph(layout);
}

/** The folder with the files of a project. Errors: `project_elsewhere`. */
export function projectFolderOf({ folder }: Project): string {
  if (folder === undefined) throw new TroupeError('project_elsewhere');
  return folder;
}
