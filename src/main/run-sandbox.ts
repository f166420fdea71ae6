import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { LocalSandbox, type SandboxSettings } from '#adapters/sandbox/local-sandbox.js';
import { projectFolderOf } from '#main/project.js';
import { socketPath } from '#main/service-at.js';
import type { Project } from '#ports/project.js';
import type { Sandbox } from '#ports/sandbox.js';

/** The sandbox of the runs of a project on this machine; the two folders are the person's own. */
export function localSandbox(
  project: Project,
  person: { readonly configurationFolder: string; readonly runtimeFolder: string },
  settings: () => Promise<SandboxSettings>,
): Sandbox {
  // A run is not told of the runtime folder of the person's session, and looks for the service where people without one do.
  const listened = [person.runtimeFolder, path.join(homedir(), '.cache', 'troupe', 'run')].map((runtime) =>
    path.dirname(socketPath(project, runtime)),
  );
  return new LocalSandbox({
    ...person,
    projectFolder: projectFolderOf(project),
    homeFolder: homedir(),
    temporaryFolder: tmpdir(),
    environment: process.env,
    serviceFolders: [...new Set([project.layout.service, ...listened])],
    platform: process.platform,
    settings,
  });
}
