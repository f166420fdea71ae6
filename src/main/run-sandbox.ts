import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { LocalSandbox, type SandboxSettings } from '#adapters/runs/local-sandbox.js';
import { configurationFolder, runtimeFolder } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import { socketPath } from '#main/service-at.js';
import type { Project } from '#ports/project.js';
import type { Sandbox } from '#ports/sandbox.js';

/** The person's private folders, which runs must not see. */
export interface OwnFolders {
  readonly configurationFolder: string;
  readonly runtimeFolder: string;
}

export function ownFolders(): OwnFolders {
  return { configurationFolder: configurationFolder(process.env), runtimeFolder: runtimeFolder(process.env) };
}

/** Sandbox for the project's runs on this machine, which keeps them out of the folders of this person. */
export function localSandbox(project: Project, settings: () => Promise<SandboxSettings>): Sandbox {
  const person = ownFolders();
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
