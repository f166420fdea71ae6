import { composeProject } from '#main/compose.js';
import type { Caller } from '#operations/operation.js';
import type { Log } from '#surfaces/cli/host.js';

/** The log of a project, to be read along beside whoever writes it. */
export async function openLog(projectFolder: string, caller: Caller): Promise<Log> {
  const project = composeProject(projectFolder);
  const store = await project.context(caller).graph();
  return {
    seq: (await store.view()).seq,
    entries: (from, to) => store.entries(from, to),
    follow: (from, signal) => store.follow(from, signal),
    close: () => project.close(),
  };
}
