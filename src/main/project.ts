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
    store: { kind: 'files', layout: layoutOf(folder) },
    folder,
  };
}

export function hasGraph({ store }: Project): boolean {
  return holdsGraph(store.layout);
}

/** The folder with the files of a project. Errors: `project_elsewhere`. */
export function projectFolderOf({ folder }: Project): string {
  if (folder === undefined) throw new TroupeError('project_elsewhere');
  return folder;
}
