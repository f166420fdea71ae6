import { composeProject } from '#main/compose.js';
import type { Caller } from '#ports/callers.js';
import type { Project } from '#ports/project.js';
import type { Log } from '#surfaces/cli/host.js';

/** Opens the log of a project for reading while another process may write it. */
export async function openLog(project: Project, caller: Caller): Promise<Log> {
  const composed = composeProject(project);
  const store = await composed.context(caller).graph();
  return {
    seq: (await store.view()).seq,
    entries: (from, to) => store.entries(from, to),
    follow: (from, signal) => store.follow(from, signal),
    reading: await composed.reading(),
    close: () => composed.close(),
  };
}
