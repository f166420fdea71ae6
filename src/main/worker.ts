import { hostname, userInfo } from 'node:os';
import { gitRemoteOf } from '#adapters/git/chosen-exchange.js';
import { LocalGit } from '#adapters/git/local-git.js';
import { RemoteExchange } from '#adapters/git/remote-exchange.js';
import { makeWorkerFolder, workerKey } from '#adapters/orders/order-folder.js';
import { parseAddress, shownAddress } from '#adapters/postgres/address.js';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { refuseOtherWorkerSchema } from '#adapters/postgres/schema.js';
import { callerFrom } from '#adapters/processes/caller-from.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { LocalPrograms } from '#adapters/programs/local-programs.js';
import { sharedEnvironment } from '#adapters/runs/environment.js';
import { WorkerAgreementFile } from '#adapters/trust/worker-agreement-file.js';
import { PostgresWorkerDesk } from '#adapters/workers/postgres-worker-desk.js';
import { EXECUTORS } from '#core/runs/executor-table.js';
import { settingsFrom } from '#core/settings/settings.js';
import { systemClock } from '#kernel/clock.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { freshId } from '#kernel/hash.js';
import { DATABASE_LIMITS } from '#kernel/limits/database.js';
import { slugOf } from '#kernel/slug.js';
import { composeProject } from '#main/compose.js';
import { chosenPlace } from '#main/database-place.js';
import { configurationFolder, PLACES } from '#main/places.js';
import { projectFolderOf } from '#main/project.js';
import { workerLife } from '#main/worker-parts.js';
import type { Context } from '#operations/operation.js';
import { usableExecutor } from '#operations/settings/usable-executors.js';
import type { Exchange } from '#ports/exchange.js';
import type { Git } from '#ports/git.js';
import type { Project } from '#ports/project.js';
import type { WorkerCard } from '#ports/worker-desk.js';
import type { ForegroundWorker, WorkerOptions } from '#surfaces/cli/host.js';

/**
 * A worker for a project in this clone of its repository. Everything that would keep it from working is refused here, before it takes
 * anything: `not_in_database`, `database_not_chosen`, `database_older`, `bad_config` for a remote that is not there, `remote_unreachable`,
 * `executor_missing`, `worker_exists` where another works in this clone.
 */
export async function openWorker(project: Project, options: WorkerOptions, version: string): Promise<ForegroundWorker> {
  const { store } = project;
  if (store.kind === 'files') throw new TroupeError('not_in_database');
  const projectFolder = projectFolderOf(project);
  const processes = new ProcessTable();
  const place = chosenPlace(project, store.name, processes);
  const words = `${place.name} in ${shownAddress(parseAddress(place.address))}`;
  const composed = composeProject(project);
  const context = composed.context(callerFrom(process.env));
  const git = new LocalGit(process.env);
  const exchange = await exchangeOf(context, git, projectFolder);
  await refuseUnpushable(exchange, await headOf(git, projectFolder), hostname());
  const executors = await executorsHere(context, options.executors);
  await composed.close();
  const database = await PostgresDatabase.of(place.address, place.name);
  await refuseOtherWorkerSchema(database, PLACES.database);
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
  const desk = new PostgresWorkerDesk({
    ...{ database, key: workerKey(project.layout.workerKey), lookMs: DATABASE_LIMITS.attemptsLookMs },
  });
  const card: WorkerCard = {
    ...{ name: options.name ?? ownName(), at: `process ${process.pid} on ${hostname()}`, version },
    ...{ slots: options.slots, labels: options.labels, executors },
  };
  const agreement = new WorkerAgreementFile({
    ...{ folder: configurationFolder(process.env), projectFolder, processes, clock: systemClock },
  });
  return {
    database: words,
    user: userInfo().username,
    isAgreed: () => agreement.holds(words),
    agree: () => agreement.give(words),
    async start(tell) {
      const life = await workerLife(project, place, { desk, exchange, card, tell });
      await life.start();
      return {
        drained: life.drained,
        drain: (graceMs) => life.drain(graceMs),
        close: () => life.close(),
      };
    },
    close: async () => {
      lock.release();
      await database.close();
    },
  };
}

/** The remote of this clone over which work travels. */
async function exchangeOf(context: Context, git: Git, folder: string): Promise<Exchange> {
  const said = settingsFrom(await (await context.settings()).read()).settings;
  const at = await gitRemoteOf(git, folder, said.database.remote ?? 'origin');
  const environment = sharedEnvironment(process.env, { projectFolder: folder, command: PLACES.command });
  const programs = new LocalPrograms({ projectFolder: folder, environment });
  return new RemoteExchange({ environment: process.env, programs, git, folder, at });
}

async function headOf(git: Git, folder: string): Promise<string> {
  const facts = await git.describe(folder);
  if (facts.kind === 'work-tree') return facts.head;
  throw new TroupeError(facts.kind === 'empty' ? 'empty_repository' : 'not_a_repository', {
    what: `${folder} is no clone with a commit: a worker works in worktrees of one.`,
    hint: 'Clone the repository, or check out a branch of it that has a commit.',
  });
}

/** Pushes a ref that nobody looks at, and takes it back. */
async function refuseUnpushable(exchange: Exchange, commit: string, host: string): Promise<void> {
  const ref = `refs/wg/probe/${slugOf(host) ?? 'worker'}-${freshId()}`;
  await exchange.publish(ref, commit);
  await exchange.withdraw(ref, commit);
}

/** The clients that can be started here: those that were named, which have to be, else all that can be found. */
async function executorsHere(context: Context, named: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of named.length === 0 ? Object.keys(EXECUTORS) : named) {
    if (name === 'shell') continue; // whoever is a worker runs commands
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
