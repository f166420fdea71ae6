import { CallerIdentifier, isElsewhere } from '#adapters/processes/caller-identifier.js';
import { ProcessPeers } from '#adapters/processes/process-peers.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileRunFolders } from '#adapters/runs/run-outputs.js';
import { runsFoldersOf } from '#kernel/graph-folder.js';
import { knownCaller } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import { type KnownRuns, knownTogether } from '#main/runs-known-here.js';
import type { Project } from '#ports/project.js';
import type { RunAtWork } from '#ports/run-folders.js';

/**
 * Identifies callers at the sockets of a project's service. Runs that this machine executes as a worker do not count as
 * persons either.
 */
export function serviceCallers(
  project: Project,
  runs: () => Promise<KnownRuns>,
  atWork: () => readonly RunAtWork[],
): CallerIdentifier {
  const asWorker = new FileRunFolders(project.layout.workerRuns, async () => new ProcessTable());
  return new CallerIdentifier({
    peers: new ProcessPeers(),
    folders: async () => knownTogether([await runs(), asWorker]),
    atWork,
    isElsewhere: (folder) => runsFoldersOf(project.layout).every((own) => isElsewhere(folder, own)),
    known: (caller) => knownCaller(caller, projectFolderOf(project)),
  });
}
