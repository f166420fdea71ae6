import { spawn } from 'node:child_process';
import { DaemonLog } from '#adapters/processes/daemon-log.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { parseJsonObject } from '#kernel/json.js';
import { inert } from '#kernel/text.js';
import { Engine } from '#main/engine.js';
import type { EngineOptions } from '#main/engine-parts.js';
import { PLACES } from '#main/places.js';
import { projectAt } from '#main/project.js';
import { remoteRequestsOf } from '#main/remote-leader.js';
import { serviceState } from '#main/service-process.js';
import { removeServiceState, writeServiceState, writeSuccessorState } from '#main/service-state.js';
import { standsByAfter, untilNobodyLeads } from '#main/standby.js';
import type { RemoteRequests } from '#ports/remote-requests.js';

/** Grace period for work that cannot be cancelled; after it, a forced stop exits regardless. */
const FORCED_AFTER_MS = 2_000;

/** Start mode of a process that succeeds a former leader; it takes the place of `seize` in the arguments. */
const SUCCESSOR = 'successor';

const [projectFolder = '.', maxAgents = '', pollMs = '', clients = '{}', socket = '', listen = '', manner = ''] =
  process.argv.slice(2);
const project = projectAt(projectFolder);
const log = new DaemonLog(project.layout.daemonLog, systemClock);
const note = (text: string) => log.note(text);
process.on('exit', () => log.flush());

/** Message to the parent process. `leader` is set if another machine leads and this process is a standby. */
export type StarterWord = { readonly ready: true; readonly leader?: string } | { readonly error: unknown };

let engine: Engine | undefined;

/** Options of this start, for the next one. */
const startOptions = {
  ...(maxAgents === '' ? {} : { maxAgents: Number(maxAgents) }),
  ...(pollMs === '' ? {} : { pollMs: Number(pollMs) }),
  clients: parseJsonObject(clients) ?? {},
  ...(socket === '' ? {} : { socket }),
  ...(listen === '' ? {} : { listen: listenOptionsIn(listen) }),
};

function listenOptionsIn(text: string) {
  const { address, cert, key } = parseJsonObject(text) ?? {};
  return {
    address: String(address),
    ...(typeof cert === 'string' ? { cert } : {}),
    ...(typeof key === 'string' ? { key } : {}),
  };
}

/**
 * If another machine may lead instead, spawns a new standby, which inherits no state of the lost leadership, and records
 * it, so that no second one is started before it has recorded itself; then exits.
 */
function onLost(): void {
  if (project.store.kind === 'database' && otherService() === undefined) {
    const words = [PLACES.service, ...process.argv.slice(2, 8), SUCCESSOR];
    const successor = spawn(process.execPath, words, { detached: true, stdio: 'ignore' });
    successor.unref();
    if (successor.pid !== undefined) writeSuccessorState(successor.pid, project.layout, { said: startOptions });
  }
  process.exit(1);
}

/** Set by a stop request, which may arrive during the start. */
let toStop: { readonly killRuns: boolean } | undefined;

function stop({ killRuns, force }: { killRuns: boolean; force: boolean }): void {
  note(`stopping${killRuns ? ', ending all runs' : ''}${force ? ', without waiting' : ''}`);
  if (force) setTimeout(() => process.exit(0), FORCED_AFTER_MS);
  toStop = { killRuns };
  if (engine) end(engine, toStop);
}

function end(started: Engine, how: { readonly killRuns: boolean }): void {
  started.stop(how).then(
    () => process.exit(0),
    (error) => {
      note(`stop failed: ${(error as Error).message}`);
      process.exit(1);
    },
  );
}

process.on('SIGTERM', () => stop({ killRuns: false, force: false }));
process.on('SIGINT', () => stop({ killRuns: false, force: false }));
process.on('SIGHUP', () => note('the terminal that started this process is gone; continuing'));

/** Starts the background service of a project from the arguments of this process. */
export async function startBackgroundService(): Promise<void> {
  const parts = { project, ...startOptions, startOptions, note, onShutdown: stop, onLost };
  try {
    engine = await startOrStandBy({ ...parts, seize: manner === 'seize' }, manner === SUCCESSOR);
    if (engine === undefined) return process.exit(0);
    note(`started, pid ${process.pid}, at most ${engine.coordinator.facts().maxAgents} agents`);
    tellStarter({ ready: true });
    if (toStop) end(engine, toStop);
  } catch (error) {
    note(`could not start: ${(error as Error).message}`);
    tellStarter({
      error: { message: (error as Error).message, ...(error as { toJSON?: () => object }).toJSON?.() },
    });
    process.exitCode = 1;
    setTimeout(() => process.exit(1), FORCED_AFTER_MS).unref(); // no handle may keep a process that serves nothing
  }
}

async function leaderInWords(requests: RemoteRequests): Promise<string> {
  try {
    return inert((await requests.leaders()).leader ?? 'another machine');
  } catch {
    return 'nobody that can be seen'; // the database is away, and looked at again
  }
}

/** Sends the parent process the one message it waits for, then disconnects. */
function tellStarter(word: StarterWord): void {
  if (!process.connected) return;
  process.send?.(word);
  process.disconnect();
}

/**
 * Refuses to stand by beside another service of the same folder: only one of the two is recorded, so commands would
 * not reach the other. Errors: `service_running`.
 */
function refuseSecondService(): void {
  const pid = otherService();
  if (pid === undefined) return;
  throw new TroupeError('service_running', {
    what: `A service of this project already runs here (pid ${pid}).`,
    details: { pid },
  });
}

/** Process id of the recorded service of this folder if it lives and is not this process. */
function otherService(): number | undefined {
  const recorded = serviceState(project);
  return recorded?.alive && recorded.pid !== process.pid ? recorded.pid : undefined;
}

/** Undefined if this process was told to stop while it was a standby. */
async function startOrStandBy(options: EngineOptions, isSuccessor: boolean): Promise<Engine | undefined> {
  const tellState = () => writeServiceState(project.layout, { stands_by: true, said: options.startOptions ?? {} });
  if (isSuccessor) {
    refuseSecondService();
    tellState(); // it may have to wait for another process's lease
  }
  try {
    return await Engine.start(options);
  } catch (error) {
    if (!standsByAfter(error, isSuccessor)) throw error;
    refuseSecondService();
    const requests = await remoteRequestsOf(project);
    try {
      const leader = await leaderInWords(requests);
      tellState();
      note(`standing by, pid ${process.pid}: ${leader} leads`);
      tellStarter({ ready: true, leader });
      if (await untilNobodyLeads(requests, () => toStop !== undefined)) note('nobody leads any more: taking over');
    } finally {
      await requests.close();
    }
    if (toStop === undefined) return await startOrStandBy({ ...options, seize: false }, true);
    removeServiceState(project.layout);
    return undefined;
  }
}
