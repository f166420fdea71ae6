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
  const service = path.dirname(socketPath(places.projectFolder, places.runtimeFolder));
  return new LocalSandbox({
    ...places,
    homeFolder: homedir(),
    temporaryFolder: tmpdir(),
    environment: process.env,
    serviceFolders: [...new Set([nearby, service])],
    platform: process.platform,
    settings,
  });
}
