import { readText } from '#adapters/store/files/disk.js';
import { holdsGraph } from '#adapters/store/files/paths.js';
import { databaseIn } from '#core/settings/database.js';
import { TroupeError } from '#kernel/errors.js';
import { type GraphLayout, layoutOf } from '#kernel/graph-folder.js';
import { sha256 } from '#kernel/hash.js';
import type { Project, StorePlace } from '#ports/project.js';

/** Project of a folder (an absolute path), with or without a graph. */
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

/** Folder with the files of a project. Errors: `project_elsewhere`. */
export function projectFolderOf({ folder }: Project): string {
  if (folder === undefined) throw new TroupeError('project_elsewhere');
  return folder;
}

/** The store named by the settings. Graph files beside them, restored by a checkout, do not count. */
function storePlaceOf({ settings }: GraphLayout): StorePlace {
  const name = databaseIn(readText(settings) ?? '');
  return name === undefined ? { kind: 'files' } : { kind: 'database', name };
}
