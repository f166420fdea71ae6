import { readText } from '#adapters/store/files/disk.js';
import { holdsGraph } from '#adapters/store/files/paths.js';
import { databaseIn } from '#core/settings/database.js';
import { TroupeError } from '#kernel/errors.js';
import { type GraphLayout, layoutOf } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import type { Project, StorePlace } from '#ports/project.js';

/** The project of a folder, an absolute path, whether it has a graph already or not. */
export function projectAt(folder: string): Project {
  const layout = layoutOf(folder);
  let store: StorePlace | undefined;
  return {
    get id() {
      return sha256(folder).slice(0, 32); // most commands need none
    },
    layout,
    get store() {
      store ??= storePlaceOf(layout);
      return store;
    },
    folder,
  };
}

export function hasGraph({ layout, store }: Project): boolean {
  return holdsGraph(layout) || store.kind === 'database';
}

/** The folder with the files of a project. Errors: `project_elsewhere`. */
export function projectFolderOf({ folder }: Project): string {
  if (folder === undefined) throw new TroupeError('project_elsewhere');
  return folder;
}

/** What the settings say. Files beside them that a checkout brought back are not the truth. */
function storePlaceOf({ settings }: GraphLayout): StorePlace {
  const name = databaseIn(readText(settings) ?? '');
  return name === undefined ? { kind: 'files' } : { kind: 'database', name };
}
