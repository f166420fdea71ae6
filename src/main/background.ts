import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { refuseLinks } from '#adapters/store/files/disk.js';
import { storePaths } from '#adapters/store/files/paths.js';
import { errorFromJson, TroupeError } from '#kernel/errors.js';
import { graphFolder, PLACES, runtimeFolder } from '#main/compose.js';
import type { Host } from '#surfaces/cli/host.js';
import { askService } from '#surfaces/socket/client.js';
import { socketPath } from '#surfaces/socket/protocol.js';

const GONE_WAIT_MS = 20_000;
const GONE_POLL_MS = 20;

/** Starts the service of a project and returns once its socket answers. `service_running` when there is one already. */
export async function startInBackground(
  projectFolder: string,
  options: Parameters<Host['startService']>[0],
): Promise<{ pid: number }> {
  refuseLinks(storePaths(graphFolder(projectFolder))); // before the child writes its log there
  const socket = socketPath(projectFolder, runtimeFolder(process.env));
  const running = existsSync(socket) ? await askService(socket, { cmd: 'status' }) : undefined;
  if (running?.state === 'answered') {
    const { pid } = running.result as { pid: number };
    throw new TroupeError('service_running', { what: `A service is running already (pid ${pid}).`, details: { pid } });
  }
  const child = fork(PLACES.service, serviceArguments(projectFolder, options), {
    cwd: projectFolder,
    detached: true,
    stdio: 'ignore',
  });
  const pid = await new Promise<number>((resolve, reject) => {
    child.once('message', (message: { ready?: true; error?: unknown }) => {
      if (message.ready && child.pid !== undefined) resolve(child.pid);
      else reject(errorFromJson(message.error));
    });
    child.once('error', (error) => reject(new TroupeError('internal', { why: error.message, cause: error })));
    child.once('exit', () => reject(new TroupeError('internal', { what: 'The service ended before it was ready.' })));
  });
  child.removeAllListeners();
  if (child.connected) child.disconnect();
  child.unref();
  return { pid };
}

function serviceArguments(projectFolder: string, { maxAgents, pollMs, clients }: Parameters<Host['startService']>[0]) {
  return [projectFolder, String(maxAgents), String(pollMs), JSON.stringify(clients)];
}

/** Waits until a stopping service has ended: only then its lock is free. */
export async function untilGone(pid: number): Promise<void> {
  const processes = new ProcessTable();
  const start = processes.startOf(pid);
  const until = Date.now() + GONE_WAIT_MS;
  while (start !== undefined && processes.startOf(pid) === start) {
    if (Date.now() > until) {
      throw new TroupeError('service_running', {
        what: `The service was asked to stop and has not ended yet (pid ${pid}).`,
        hint: 'Look again with `troupe service status`.',
        details: { pid },
      });
    }
    await new Promise((resolve) => setTimeout(resolve, GONE_POLL_MS));
  }
}
