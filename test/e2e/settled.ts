import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LocalFiles } from '#adapters/files/local-files.js';
import { LocalClientPrograms } from '#adapters/processes/local-client-programs.js';
import { LocalMachine } from '#adapters/processes/local-machine.js';
import { LocalPrograms } from '#adapters/processes/local-programs.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { ConfigFile } from '#adapters/settings/config-file.js';
import { ExecutorFolder } from '#adapters/settings/executor-folder.js';
import { ExecutorTrustFile } from '#adapters/trust/executor-trust-file.js';
import { systemClock } from '#kernel/clock.js';
import { room } from '../room.js';
import type { World } from './world.js';

/**
 * From now on the world has a folder with a real file of settings, a log of the service, and a machine with two
 * clients. Returns the folder.
 */
export async function settledIn(own: World): Promise<string> {
  const projectFolder = room('settled');
  const graph = path.join(projectFolder, '.workgraph');
  mkdirSync(path.join(graph, 'service'), { recursive: true });
  writeFileSync(path.join(graph, 'config.toml'), '# ours\n[coordinator]\nexecutor = "claude"\n');
  writeFileSync(path.join(graph, 'service/daemon.log'), '2026-03-01T10:00:00.000Z tick: nothing to do\n');
  const programs = room('bin-of-clients');
  const install = (name: string, says: string) =>
    writeFileSync(path.join(programs, name), `#!/bin/sh\necho '${says}'\n`, { mode: 0o755 });
  install('claude', '2.1.330 (Claude Code)');
  install('codex', 'codex-cli 0.146.0');
  const environment: Record<string, string> = { PATH: `${programs}:/usr/bin:/bin`, HOME: room('home-of-clients') };
  const processes = new ProcessTable();
  const record = new ExecutorTrustFile({
    folder: room('trust-of-clients'),
    projectFolder,
    processes,
    clock: systemClock,
  });
  const file = new ConfigFile({ folder: graph, processes, clock: systemClock });
  Object.assign(own.context, {
    projectFolder,
    settings: async () => file,
    files: async () => new LocalFiles(projectFolder),
    executorFiles: async () => new ExecutorFolder(projectFolder),
    executorTrust: async () => record,
    clientPrograms: async () => new LocalClientPrograms(projectFolder, environment),
    machine: async () => new LocalMachine(environment),
    programs: async () => new LocalPrograms({ projectFolder, environment }),
  });
  return projectFolder;
}
