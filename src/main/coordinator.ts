import type { Terms } from '#core/coordinator/snapshot.js';
import { persistedState, providerMark, roomMark } from '#main/persisted-state.js';
import { CoordinatorLoop } from '#operations/coordinator/coordinator-loop.js';
import { decisionText } from '#operations/coordinator/decision-rows.js';
import { projectHosts } from '#operations/coordinator/hosts.js';
import { ModelClients, type ServiceClientOptions } from '#operations/coordinator/model-clients.js';
import { refuseUntrusted } from '#operations/graph/trusted.js';
import { loadSettings } from '#operations/load-settings.js';
import type { Context } from '#operations/operation.js';
import type { Books } from '#operations/settings/books.js';
import { lastValidSettings } from '#operations/settings/last-valid-settings.js';
import { refuseUnknownExecutor } from '#operations/settings/usable-executors.js';
import type { GraphStore } from '#ports/graph-store.js';
import type { Project } from '#ports/project.js';
import type { RunHost } from '#ports/run-host.js';
import type { Workers } from '#ports/workers.js';

export interface CoordinatorParts {
  readonly project: Project;
  readonly context: Context;
  readonly store: GraphStore;
  readonly runs: RunHost;
  /** Other machines that execute attempts. */
  readonly workers: Workers;
  readonly books: Books;
  /** Options of the start; they override the settings. */
  readonly startOptions: {
    readonly maxAgents: number | undefined;
    readonly pollMs: number | undefined;
    readonly clients: ServiceClientOptions;
  };
  readonly terms: Partial<Terms>;
  readonly note: (text: string) => void;
}

/**
 * Rejects what no coordinator starts with: invalid settings, an unknown client, a graph that is not trusted. Errors:
 * `bad_config`, `unknown_executor`, `untrusted_graph`.
 */
export async function refuseBadStart(context: Context, { executor }: ServiceClientOptions): Promise<void> {
  await loadSettings(context);
  if (executor !== undefined) await refuseUnknownExecutor(context, executor);
  await refuseUntrusted(context);
}

/**
 * Creates the coordinator of a project. Used by the service, the foreground session, a single tick, its dry run and a
 * requested run, which differ only in the graph and the run host they pass. Errors: `untrusted_graph` if it would run
 * commands that no one on this machine has trusted, and those of the settings.
 */
export async function composeCoordinator(
  parts: CoordinatorParts,
): Promise<{ coordinator: CoordinatorLoop; clients: ModelClients }> {
  const { project, context, store, runs, workers, books, startOptions, terms, note } = parts;
  const { layout } = project;
  const clients = new ModelClients({ context, wishes: startOptions.clients, workers });
  await refuseBadStart(context, startOptions.clients);
  const { coordinator: settings } = (await clients.reload()).settings;
  const steady = lastValidSettings(
    () => context.settings(),
    (error) => note(`the settings cannot be read, keeping the previous ones: ${error.message}`),
  );
  await (await steady()).read(); // loads the settings that apply from here on
  const coordinator = new CoordinatorLoop({
    store,
    runs,
    books,
    pollMs: startOptions.pollMs ?? settings.poll_interval * 1_000,
    persisted: persistedState(
      layout,
      providerMark(process.env, [settings.executor, settings.model, settings.provider]),
    ),
    clients,
    trust: await context.trustedCommands(),
    terms,
    hosts: projectHosts(
      { ...context, settings: steady },
      { maxAgents: startOptions.maxAgents ?? settings.max_agents, room: roomMark(layout), workers, note },
    ),
    onDecisions: (decisions) => {
      for (const decision of decisions) note(decisionText(decision));
    },
    onError: (error) => note(`tick failed: ${(error as Error).message}`),
  });
  return { coordinator, clients };
}
