import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { LocalSandbox, type SandboxSettings } from '#adapters/runs/local-sandbox.js';
import { projectFolderOf } from '#main/project.js';
import { socketPath } from '#main/service-at.js';
import type { Project } from '#ports/project.js';
import type { Sandbox } from '#ports/sandbox.js';

/** Sandbox for the project's runs on this machine. Both folders of `person` are private to the person. */
export function localSandbox(
  project: Project,
  person: { readonly configurationFolder: string; readonly runtimeFolder: string },
  settings: () => Promise<SandboxSettings>,
): Sandbox {
  // Runs do not get the person's XDG_RUNTIME_DIR; they look for the service in the fallback folder.
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
