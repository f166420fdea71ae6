import { fileStoreKind } from '#adapters/store/files/file-store-kind.js';
import { systemClock } from '#kernel/clock.js';
import type { StoreKind } from '#ports/graph-store.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';

/** The ways to keep a graph; the only place that knows which there are. */
const KINDS = {
  files: ({ layout }: Project, processes: () => Promise<Processes>): StoreKind =>
    fileStoreKind({ folder: layout.folder, processes, clock: systemClock }),
};

/** The store of a project, by its kind. Nothing is opened yet. */
export function openStore(project: Project, processes: () => Promise<Processes>): StoreKind {
  return KINDS[project.store.kind](project, processes);
}
