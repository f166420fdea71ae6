import { hostname } from 'node:os';
import { LocalGit } from '#adapters/git/local-git.js';
import { callerFrom } from '#adapters/processes/caller-from.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { makeWorkerFolder, workerKey } from '#adapters/workers/order-folder.js';
import { PostgresWorkerGateway } from '#adapters/workers/postgres-worker-gateway.js';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { systemClock } from '#kernel/clock.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { slugOf } from '#kernel/slug.js';
import { runAll } from '#kernel/steps.js';
import { workerBlobs } from '#main/chosen-blobs.js';
import { composeProject } from '#main/compose.js';
import { projectFolderOf } from '#main/project.js';
import { type WorkerPlace, workerPlace } from '#main/worker-agreement.js';
import { workerLife } from '#main/worker-parts.js';
import { workerRemote } from '#main/worker-remote.js';
import type { Context } from '#operations/operation.js';
import { usableExecutor } from '#operations/settings/usable-executors.js';
import type { OwnCard } from '#operations/workers/leader-watch.js';
import { OrderGate } from '#operations/workers/order-gate.js';
import type { Project } from '#ports/project.js';
import type { ForegroundWorker, WorkerOptions } from '#surfaces/cli/host.js';

/**
 * Opens a worker for a project in this clone of its repository. All obstacles are reported before it takes an attempt.
 * Errors: `not_in_database`, `database_not_chosen`, `database_older`, `bad_config` for a missing remote,
 * `remote_unreachable`, `executor_missing`, `blobs_not_chosen`, `blobs_away`, `blobs_refused`, `worker_exists` if
 * another worker uses this clone.
 */
export async function openWorker(project: Project, options: WorkerOptions, version: string): Promise<ForegroundWorker> {
  const where = await workerPlace(project);
  try {
    return await workerAt(where, project, options, version);
  } catch (error) {
    await where.database.close();
    throw error;
  }
}

async function workerAt(
  { place, database, choice, agreed }: WorkerPlace,
  project: Project,
  options: WorkerOptions,
  version: string,
): Promise<ForegroundWorker> {
  const projectFolder = projectFolderOf(project);
  const processes = new ProcessTable();
  const composed = composeProject(project);
  const context = composed.context(callerFrom(process.env));
  const git = new LocalGit(process.env);
  const { exchange, warnings } = await workerRemote(context, git, projectFolder, hostname());
  const executors = await executorsHere(context, options.executors);
  const output = await workerBlobs(context, place.name);
  await composed.close();
  makeWorkerFolder(project.layout.worker);
  const lock = processes.lock(project.layout.workerLock, systemClock);
  try {
    await lock.acquire(() => true);
  } catch (error) {
    if (!isRefusal(error, 'locked')) throw error;
    throw new TroupeError('worker_exists', {
      what: `A worker is running in this clone: ${lock.holder()?.who ?? 'it is about to end'}.`,
      hint: 'One clone has one worker: use --slots N, or another clone.',
    });
  }
  const desk = new PostgresWorkerGateway({
    database,
    key: workerKey(project.layout.workerKey),
    lookMs: DATABASE_LIMITS.attemptsLookMs,
    blobs: output.blobs,
  });
  const card: OwnCard = {
    name: options.name ?? ownName(),
    at: `process ${process.pid} on ${hostname()}`,
    version,
    slots: options.slots,
    labels: options.labels,
    executors,
  };
  const gate = new OrderGate({ project: place.name, agreed, clock: desk.clock });
  return {
    choice,
    async start(tell) {
      const life = await workerLife(project, place, { desk, exchange, card, gate, tell });
      for (const text of [...warnings, ...output.warnings]) tell({ event: 'warned', text });
      await life.start();
      return {
        drained: life.drained,
        drain: (graceMs) => life.drain(graceMs),
        close: () => life.close(),
      };
    },
    close: () => runAll([() => lock.release(), () => database.close()]),
  };
}

/** Clients that can be started here. Those named must all be usable; without names, all that are found. */
async function executorsHere(context: Context, named: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of named.length === 0 ? Object.keys(EXECUTORS) : named) {
    if (name === 'shell') continue; // every worker can run commands
    try {
      await usableExecutor(context, name);
      found.push(name);
    } catch (error) {
      if (named.length > 0 || !isRefusal(error, 'executor_missing')) throw error;
    }
  }
  return found;
}

function ownName(): string {
  return slugOf(hostname()) ?? 'worker';
}
