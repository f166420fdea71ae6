import path from 'node:path';
import { ClaudeRoleFolder } from '#adapters/lanes/role-folder.js';
import { holdsGraph } from '#adapters/store/files/paths.js';
import { systemClock } from '#kernel/clock.js';
import { sha256 } from '#kernel/hash.js';
import { graphFolder, runtimeFolder } from '#main/places.js';
import { committedIn } from '#operations/change-mark.js';
import type { Caller, Context } from '#operations/operation.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { Processes } from '#ports/processes.js';
import type { RoleFiles, RoleOutcome } from '#ports/role-files.js';

interface Parts {
  readonly projectFolder: string;
  readonly processes: Processes;
  graph(): Promise<GraphStore>;
  context(caller: Caller): Context;
}

/** The role files of a project, with the log that commits their changes and the agency that follows them. */
export function roleFilesOf({ projectFolder, processes, graph, context }: Parts): RoleFiles {
  const personal = path.join(runtimeFolder(process.env), `roles-${sha256(projectFolder).slice(0, 16)}`);
  const place = { project: projectFolder, personal, holdsGraph: () => holdsGraph(graphFolder(projectFolder)) };
  const outcome = {
    committed: committedIn({ graph }),
    follow: async (...news: Parameters<RoleOutcome['follow']>) => {
      const { followAccepted } = await import('#operations/lanes/acceptance.js');
      await followAccepted(context, ...news);
    },
  };
  return new ClaudeRoleFolder(place, { processes, clock: systemClock, step: () => undefined, outcome });
}
