import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ProcessTable } from '#adapters/processes/process-table.js';
import { ShellRuns } from '#adapters/runs/shell-runs.js';
import type { SpawnRequest } from '#core/coordinator/dispatch.js';
import { systemClock } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import { freshId } from '#kernel/hash.js';
import { appearsAt, callerFrom, composeProject, graphFolder, PLACES, type Project } from '#main/compose.js';
import { composeCoordinator } from '#main/coordinator.js';
import type { EngineOptions } from '#main/engine-options.js';
import type { CoordinatorLoop } from '#operations/coordinator/coordinator-loop.js';
import type { ModelClients } from '#operations/coordinator/model-clients.js';
import { Books } from '#operations/models/books.js';
import type { ModelBudget } from '#operations/models/model-budget.js';
import { ProjectBudget } from '#operations/models/project-budget.js';
import type { ExclusiveGraph, HoldOptions, StoreKind } from '#ports/graph-store.js';
import { askService } from '#surfaces/socket/client.js';

export interface EngineParts {
  readonly store: ExclusiveGraph;
  readonly project: Project;
  readonly models: ModelBudget;
  readonly coordinator: CoordinatorLoop;
  readonly clients: ModelClients;
}

/** The project of an engine knows its coordinator, which in turn asks the project for what it needs. */
export async function engineParts(
  options: EngineOptions,
  store: ExclusiveGraph,
  processes: ProcessTable,
  note: (text: string) => void,
): Promise<EngineParts> {
  const { projectFolder } = options;
  const books = new Books({ store: async () => store, alone: true });
  const models = new ProjectBudget({
    books,
    clock: systemClock,
    actor: callerFrom(process.env).name,
    allowance: () => clients.allowance(),
    freshId,
  });
  const facts = () => ({
    ...coordinator.facts(),
    inForce: () => clients.current(),
    agents: () => coordinator.agents(),
    kill: (run: string | number) => coordinator.kill(run),
    spawn: (request: SpawnRequest) => coordinator.spawn(request),
  });
  const project = composeProject(projectFolder, async () => store, undefined, facts, models);
  const runs = new ShellRuns({
    agentsFolder: path.join(graphFolder(projectFolder), 'agents'),
    projectFolder,
    processes,
    clock: systemClock,
    command: PLACES.command,
    runProgram: PLACES.run,
    firstNumber: 1,
    ...(options.pulse ? { pulse: options.pulse } : {}),
  });
  const { coordinator, clients } = await composeCoordinator({
    context: project.context(callerFrom(process.env)),
    store,
    runs,
    books,
    said: { maxAgents: options.maxAgents, pollMs: options.pollMs, clients: options.clients ?? {} },
    terms: options.terms ?? {},
    note,
  });
  return { store, project, models, coordinator, clients };
}

interface Opening extends Omit<HoldOptions, 'stopWaiting'> {
  readonly note: (text: string) => void;
}

/** Opens the graph under its lock. Somebody who is faster and serves it already is `service_running`. */
export async function openForLife(
  kind: StoreKind,
  socket: string,
  { note, ...options }: Opening,
): Promise<ExclusiveGraph> {
  const stopWaiting = appearsAt(socket);
  const up = existsSync(socket) ? await askService(socket, { cmd: 'status' }) : undefined;
  if (up?.state === 'answered') throw heldBy((up.result as { pid: number }).pid);
  const holder = options.seize ? await kind.holder() : undefined;
  if (holder !== undefined) note(`taking the write lock from ${holder}`);
  try {
    return await kind.hold({ stopWaiting, ...options });
  } catch (error) {
    if (!(error instanceof TroupeError) || error.code !== 'locked' || error.details['state'] !== 'alive') throw error;
    throw heldBy(error.details['pid']);
  }
}

function heldBy(pid: unknown): TroupeError {
  return new TroupeError('service_running', {
    what: `A service or a run holds this project already (pid ${pid ?? 'unknown'}).`,
    details: { pid },
  });
}
