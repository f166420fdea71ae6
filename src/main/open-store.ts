import { fileStoreKind } from '#adapters/store/files/file-store-kind.js';
import { systemClock } from '#kernel/clock.js';
import { databaseStoreKind } from '#main/database-kind.js';
import type { StoreKind } from '#ports/graph-store.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';

/** Returns the store of a project by its kind, without opening it. */
export function openStore(project: Project, processes: () => Promise<Processes>): StoreKind {
  const { store, layout } = project;
  if (store.kind === 'files') return fileStoreKind({ folder: layout.folder, processes, clock: systemClock });
  return databaseStoreKind(project, store.name, processes);
}
