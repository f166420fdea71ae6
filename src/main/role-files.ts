import path from 'node:path';
import { ClaudeRoleFolder } from '#adapters/roles/role-folder.js';
import { systemClock } from '#kernel/clock.js';
import { runtimeFolder } from '#main/places.js';
import { hasGraph, projectFolderOf } from '#main/project.js';
import { committedIn } from '#operations/change-mark.js';
import type { Context } from '#operations/operation.js';
import type { Caller } from '#ports/callers.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { Processes } from '#ports/processes.js';
import type { Project } from '#ports/project.js';
import type { RoleFiles, RoleOutcome } from '#ports/role-files.js';

interface Parts {
  readonly project: Project;
  readonly processes: Processes;
  graph(): Promise<GraphStore>;
  context(caller: Caller): Context;
}

/** Role files of a project. Their changes are committed through the log, and the agency is updated after each. */
export function roleFilesOf({ project, processes, graph, context }: Parts): RoleFiles {
  const personal = path.join(runtimeFolder(process.env), `roles-${project.id.slice(0, 16)}`);
  const place = { project: projectFolderOf(project), personal, holdsGraph: () => hasGraph(project) };
  const outcome = {
    committed: committedIn({ graph }),
    follow: async (...news: Parameters<RoleOutcome['follow']>) => {
      const { followAccepted } = await import('#operations/roles/acceptance.js');
      await followAccepted(context, ...news);
    },
  };
  return new ClaudeRoleFolder(place, { processes, clock: systemClock, step: () => undefined, outcome });
}
