import { addressOf, databaseChoice } from '#main/database-place.js';
import { fileStorage } from '#main/file-storage.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';
import type { Storages } from '#ports/storage.js';

/** Current and possible storages of a project on this machine. Opens no connection. */
export function storagesOf(project: Project, processes: Processes): Storages {
  const { store } = project;
  return {
    named: store.kind === 'database' ? store.name : undefined,
    choice: databaseChoice(project, processes),
    files: fileStorage(project, processes),
    database: async (chosen) => {
      const { databaseStorage } = await import('#main/database-storage.js');
      return databaseStorage({ address: addressOf(chosen), name: chosen.project }, project);
    },
  };
}
