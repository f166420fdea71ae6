import { fork } from 'node:child_process';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { refuseLinks } from '#adapters/store/files/disk.js';
import { systemClock } from '#kernel/clock.js';
import { errorFromJson, TroupeError } from '#kernel/errors.js';
import { inert } from '#kernel/text.js';
import type { StarterWord } from '#main/background-service.js';
import { PLACES } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import { serviceAt } from '#main/service-at.js';
import { standbyOf } from '#main/service-process.js';
import type { Project } from '#ports/project.js';
import type { RestartedService, StartedService, StartOptions } from '#surfaces/cli/host.js';

/**
 * Starts the service of a project and returns once its socket answers. `force` replaces a running service.
 * Errors: `service_running`.
 */
export async function startInBackground(
  project: Project,
  options: StartOptions,
  force = false,
): Promise<StartedService> {
  refuseLinks(project.layout); // before the child writes its log there
  await refuseBadAddress(options);
  const running = await pidOfService(project, force);
  if (running !== undefined && !force) {
    const pid = running;
    throw new TroupeError('service_running', { what: `A service is already running (pid ${pid}).`, details: { pid } });
  }
  if (running !== undefined) await replaceService(project, options);
  if (force) printLockHolder(project);
  const child = fork(PLACES.service, serviceArguments(project, options, force), {
    cwd: projectFolderOf(project),
    detached: true,
    stdio: 'ignore',
  });
  const started = await new Promise<StartedService>((resolve, reject) => {
    child.once('message', (word: StarterWord) => {
      if ('error' in word || child.pid === undefined) return reject(errorFromJson('error' in word && word.error));
      resolve({ pid: child.pid, ...(word.leader === undefined ? {} : { leader: word.leader }) });
    });
    child.once('error', (error) => reject(new TroupeError('internal', { why: error.message, cause: error })));
    child.once('exit', () => reject(new TroupeError('internal', { what: 'The service exited before it was ready.' })));
  });
  child.removeAllListeners();
  if (child.connected) child.disconnect();
  child.unref();
  return started;
}

/** Stops the service if it runs and starts it again. `options` override those of the previous start. */
export async function restartService(project: Project, options: StartOptions): Promise<RestartedService> {
  const { earlierStartOptions, makeWay } = await import('#main/service-control.js');
  const startOptions = earlierStartOptions(project, options);
  await refuseBadAddress(startOptions);
  const restarted = await makeWay(project, startOptions, { killAgents: false, force: false });
  return { ...(await startInBackground(project, startOptions)), restarted };
}

/** Refuses an address at which nothing may listen, before a running service is stopped for it. */
async function refuseBadAddress({ listen }: StartOptions): Promise<void> {
  if (listen !== undefined) (await import('#main/listen-address.js')).listenAddressOf(listen);
}

/** Process id of the project's service or standby. With `force`, a service that does not answer counts too, as 0. */
async function pidOfService(project: Project, force: boolean): Promise<number | undefined> {
  try {
    return (await serviceAt(project).up())?.pid ?? standbyOf(project)?.pid;
  } catch (error) {
    if (!force || !(error instanceof TroupeError) || error.code !== 'service_silent') throw error;
    return 0;
  }
}

async function replaceService(project: Project, options: StartOptions): Promise<void> {
  const { makeWay } = await import('#main/service-control.js');
  await makeWay(project, options, { killAgents: false, force: true });
}

/** Prints the lock's current holder before the lock is seized. */
function printLockHolder(project: Project): void {
  const { folder, lock } = project.layout;
  const holder = new ProcessTable().lock(lock, systemClock).holder();
  if (holder && holder.state !== 'dead')
    process.stderr.write(`The write lock of ${inert(folder)} is held by ${holder.who}: taking it.\n`);
}

function serviceArguments(project: Project, options: StartOptions, seize: boolean): string[] {
  const { maxAgents, pollMs, clients, socket, listen } = options;
  const numbers = [maxAgents, pollMs].map((value) => String(value ?? ''));
  const words = [JSON.stringify(clients ?? {}), socket ?? '', listen === undefined ? '' : JSON.stringify(listen)];
  return [projectFolderOf(project), ...numbers, ...words, seize ? 'seize' : ''];
}
