import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { LocalSandbox, type SandboxSettings } from '#adapters/sandbox/local-sandbox.js';
import type { Sandbox } from '#ports/sandbox.js';
import { socketPath } from '#surfaces/socket/protocol.js';

/** The sandbox of the runs of a project on this machine; the two folders are those of the person. */
export function localSandbox(
  places: { readonly projectFolder: string; readonly configurationFolder: string; readonly runtimeFolder: string },
  settings: () => Promise<SandboxSettings>,
): Sandbox {
  const nearby = path.join(places.projectFolder, '.workgraph', 'service');
  // A run is not told of the runtime folder of the person's session, and looks for the service where people without one do.
  const listened = [places.runtimeFolder, path.join(homedir(), '.cache', 'troupe', 'run')].map((runtime) =>
    path.dirname(socketPath(places.projectFolder, runtime)),
  );
  return new LocalSandbox({
    ...places,
    homeFolder: homedir(),
    temporaryFolder: tmpdir(),
    environment: process.env,
    serviceFolders: [...new Set([nearby, ...listened])],
    platform: process.platform,
    settings,
  });
}
