import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { LocalSandbox, type SandboxSettings } from '#adapters/sandbox/local-sandbox.js';
import { configurationFolder, graphFolder, runtimeFolder } from '#main/compose.js';
import type { Sandbox } from '#ports/sandbox.js';
import { socketPath } from '#surfaces/socket/protocol.js';

/** The sandbox of the runs of a project on this machine. */
export function localSandbox(projectFolder: string, settings: () => Promise<SandboxSettings>): Sandbox {
  const environment = process.env;
  const runtime = runtimeFolder(environment);
  const nearby = path.join(graphFolder(projectFolder), 'service');
  return new LocalSandbox({
    projectFolder,
    homeFolder: homedir(),
    temporaryFolder: tmpdir(),
    environment,
    configurationFolder: configurationFolder(environment),
    runtimeFolder: runtime,
    serviceFolders: [...new Set([nearby, path.dirname(socketPath(projectFolder, runtime))])],
    platform: process.platform,
    settings,
  });
}
