import path from 'node:path';
import { callerFrom } from '#adapters/processes/caller-from.js';
import type { ProcessTable } from '#adapters/processes/process-table.js';
import { RunEnds } from '#adapters/runs/run-ends.js';
import type { Pulse } from '#adapters/runs/shell-runs.js';
import type { SpawnRequest } from '#core/coordinator/dispatch.js';
import type { Terms } from '#core/coordinator/snapshot.js';
import { asTroupeError, TroupeError } from '#kernel/errors.js';
import { freshId } from '#kernel/hash.js';
import type { JsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { type ComposedProject, composeProject } from '#main/compose.js';
import { composeCoordinator } from '#main/coordinator.js';
import { runtimeFolder } from '#main/places.js';
import { reconfigure } from '#main/reconfigure.js';
import { ServiceDoors } from '#main/run-doors.js';
import { localSandbox, ownFolders } from '#main/run-sandbox.js';
import type { MachinesParts } from '#main/runs-at-machines.js';
import { runsHere } from '#main/runs-here.js';
import { runtimePlace } from '#main/service-at.js';
import type { CoordinatorLoop } from '#operations/coordinator/coordinator-loop.js';
import type { ModelClients, ServiceClientOptions } from '#operations/coordinator/model-clients.js';
import { NO_WORKERS } from '#operations/coordinator/no-workers.js';
import type { ServiceOverrides, ShutDown } from '#operations/coordinator-facts.js';
import type { ServiceStatus } from '#operations/service-status.js';
import { Books } from '#operations/settings/books.js';
import { type ModelBudget, ProjectBudget } from '#operations/settings/budget.js';
import type { ExclusiveGraph, GraphStore, HoldOptions, StoreKind } from '#ports/graph-store.js';
import type { Project } from '#ports/project.js';
import type { RunAtWork } from '#ports/run-folders.js';
import type { RunHost } from '#ports/run-host.js';
import type { Sandbox } from '#ports/sandbox.js';
import type { Service } from '#ports/service.js';
import type { Workers } from '#ports/workers.js';
import type { ListenOptions } from '#surfaces/cli/host.js';

/** Start options of an engine. */
export interface EngineOptions {
  readonly project: Project;
  /** Maximum concurrent runs and polling interval in milliseconds; the settings are the default. */
  readonly maxAgents?: number;
  readonly pollMs?: number;
  /** Client for tasks without a command, and spending limits; the settings are the default. */
  readonly clients?: ServiceClientOptions;
  /** Lease terms and heartbeat intervals other than the defaults; for tests. */
  readonly terms?: Partial<Terms>;
  readonly pulse?: Pulse;
  /** Logs decisions of ticks and errors. */
  readonly note?: (text: string) => void;
  /** Called on a shutdown request over the socket. */
  readonly onShutdown?: (how: ShutDown) => void;
  /**
   * Called after the lock was lost. The engine has stopped by itself by then and left all state that belongs to the new
   * holder.
   */
  readonly onLost?: () => void;
  /** Seizes the write lock from its current holder. */
  readonly seize?: boolean;
  /** Absolute path of an additional socket. */
  readonly socket?: string;
  /** Address to listen at over HTTP, beside the loopback one. */
  readonly listen?: ListenOptions;
  /** Options the service was started with; stored for the next start. */
  readonly startOptions?: JsonObject;
}

export interface EngineParts {
  readonly store: ExclusiveGraph;
  readonly composed: ComposedProject;
  readonly models: ModelBudget;
  readonly coordinator: CoordinatorLoop;
  readonly clients: ModelClients;
  readonly doors: ServiceDoors;
  readonly sandbox: Sandbox;
  /** Processes of runs on this machine. */
  atWork(): readonly RunAtWork[];
}

/** Answers of the engine itself, which is made from its parts. Errors: `service_not_running` until then. */
export interface EngineAnswers {
  /** Answers a request on the socket of a run. */
  answerRun(run: string, line: JsonObject): Promise<unknown>;
  status(): Promise<ServiceStatus>;
}

/**
 * Creates the parts of an engine. The composed project refers to its coordinator, and the coordinator to the project.
 */
export async function engineParts(
  options: EngineOptions,
  store: ExclusiveGraph,
  processes: ProcessTable,
  note: (text: string) => void,
  answers: EngineAnswers,
): Promise<EngineParts> {
  const { project } = options;
  const { agents } = project.layout;
  const doors = new ServiceDoors(agents, answers.answerRun);
  const person = ownFolders();
  const sandbox = localSandbox(project, async () => (await clients.current()).settings.clients);
  const books = new Books({ store: async () => store, alone: true });
  const models = new ProjectBudget({
    books,
    clock: store.clock,
    actor: 'coordinator',
    allowance: () => clients.allowance(),
    freshId,
  });
  const facts = () => ({
    ...coordinator.facts(),
    inForce: () => clients.current(),
    agents: () => coordinator.agents(),
    spending: () => coordinator.spending(),
    roundEnd: () => coordinator.roundEnd(),
    status: () => answers.status(),
    pause: async () => {
      coordinator.pause();
      await coordinator.roundEnd();
    },
    resume: async () => coordinator.resume(),
    configure: (values: ServiceOverrides) => reconfigure({ coordinator, clients }, values),
    shutDown: async (how: ShutDown) => shutDown(options.onShutdown, how),
    kill: (run: string | number) => coordinator.kill(run),
    spawn: (request: SpawnRequest) => coordinator.spawn(request),
  });
  const composed = composeProject(project, store, undefined, facts, models);
  const context = composed.context(callerFrom(process.env));
  const here = runsHere({
    project,
    context,
    agents,
    ends: runEnds(project),
    processes,
    clock: store.clock,
    sandbox,
    doors,
    person,
    settings: async () => (await clients.current()).settings,
    trees: () => context.trees(),
    ...(options.pulse ? { pulse: options.pulse } : {}),
  });
  const { runs, workers } = await allRuns({ project, store, context, processes, here });
  const { coordinator, clients } = await composeCoordinator({
    project,
    context,
    store,
    runs,
    workers,
    books,
    startOptions: { maxAgents: options.maxAgents, pollMs: options.pollMs, clients: options.clients ?? {} },
    terms: options.terms ?? {},
    note,
  });
  return { store, composed, models, coordinator, clients, doors, sandbox, atWork: () => here.atWork() };
}

/** Ends the service after the current answer. Errors: `service_not_running`. */
function shutDown(onShutdown: EngineOptions['onShutdown'], how: ShutDown): void {
  if (onShutdown === undefined) {
    throw new TroupeError('service_not_running', {
      what: `No service is running: \`troupe run\` holds this project (pid ${process.pid}).`,
      hint: 'Press Ctrl-C there.',
    });
  }
  setImmediate(() => onShutdown(how));
}

/** Run host of a project; for a project in a database it includes runs at workers. */
async function allRuns(parts: Omit<MachinesParts, 'name'>): Promise<{ runs: RunHost; workers: Workers }> {
  const { project, here } = parts;
  if (project.store.kind === 'files') return { runs: here, workers: NO_WORKERS };
  const { runsAtMachines } = await import('#main/runs-at-machines.js');
  const placed = await runsAtMachines({ ...parts, name: project.store.name });
  return { runs: placed, workers: placed };
}

/** File in which the ends of attempts are recorded in addition to their own records. */
export function runEnds(project: Project): RunEnds {
  return new RunEnds(path.join(runtimePlace(project, runtimeFolder(process.env)), 'ends.jsonl'));
}

interface Opening extends Omit<HoldOptions, 'stopWaiting'> {
  readonly note: (text: string) => void;
}

/**
 * Opens the graph under its lock, for the lifetime of the engine. Errors: `service_running` if another process serves
 * it already.
 */
export async function openExclusiveGraph(
  kind: StoreKind,
  service: Service,
  { note, ...options }: Opening,
): Promise<ExclusiveGraph> {
  const stopWaiting = service.watch();
  const up = await service.up();
  if (up) throw lockHeldError(up.pid);
  const holder = options.seize ? await kind.holder() : undefined;
  if (holder !== undefined) note(`taking the write lock from ${holder}`);
  try {
    return await kind.hold({ stopWaiting, ...options });
  } catch (error) {
    if (!(error instanceof TroupeError) || error.code !== 'locked' || error.details['state'] !== 'alive') throw error;
    throw lockHeldError(error.details['pid']);
  }
}

function lockHeldError(pid: unknown): TroupeError {
  return new TroupeError('service_running', {
    what: `A service or a run already holds this project (pid ${pid ?? 'unknown'}).`,
    details: { pid },
  });
}

/**
 * Reports each problem with the files of a graph once. An unreadable file does not stop the service: the last good
 * state stays in force, and the problem is logged.
 */
export function problemReporter(store: Pick<GraphStore, 'health'>, note: (text: string) => void): () => void {
  const reports = new Set<string>();
  const tell = async () => {
    for (const { text, file, line } of await store.health()) {
      const where = file === undefined ? '' : `${path.basename(file)}${line === undefined ? '' : ` line ${line}`}: `;
      if (reports.has(where + text) || reports.size >= WORK_LIMITS.problemsTold) continue;
      reports.add(where + text);
      note(`${where}${text}`);
    }
  };
  return () => {
    tell().catch((error) => note(`the files could not be examined: ${asTroupeError(error).message}`));
  };
}
