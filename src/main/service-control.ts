import { callerFrom } from '#adapters/processes/caller-from.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { ReadOnlyRuns } from '#adapters/runs/read-only-runs.js';
import { isRefusal, TroupeError } from '#kernel/errors.js';
import { freshId } from '#kernel/hash.js';
import type { RequestMark } from '#kernel/request.js';
import { composeProject } from '#main/compose.js';
import { composeCoordinator, refuseBadStart } from '#main/coordinator.js';
import { Engine } from '#main/engine.js';
import { runEnds } from '#main/engine-parts.js';
import { leadingService, serviceAt } from '#main/service-at.js';
import { killService, nothingToStop, serviceState, standbyOf, untilEnded } from '#main/service-process.js';
import { type DecisionRow, decisionRows, type TickRows, tickRows } from '#operations/coordinator/decision-rows.js';
import { NO_WORKERS } from '#operations/coordinator/no-workers.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { Books } from '#operations/settings/books.js';
import type { Caller } from '#ports/callers.js';
import type { Project } from '#ports/project.js';
import type { StartOptions, StopOptions } from '#surfaces/cli/host.js';

/**
 * Stops the service and waits until it has ended. A service that does not answer is ended only with `force`. Errors:
 * `service_not_running`.
 */
export async function stopService(project: Project, { killAgents, force }: StopOptions): Promise<{ pid: number }> {
  const service = serviceAt(project);
  try {
    const up = await service.up();
    if (up === undefined) return await stopStandby(project);
    const input = { kill_agents: killAgents, force };
    await service.ask({ cmd: 'operation', name: 'service.stop', input, request_id: freshId() });
    await untilEnded(up.pid);
    return { pid: up.pid };
  } catch (error) {
    if (!force || !(error instanceof TroupeError) || error.code !== 'service_silent') throw error;
    return { pid: await killService(project) };
  }
}

/**
 * Stops the running service so that another can start with these options, unless that one could not. Returns whether
 * one was running. Errors: those of a start; `service_silent`.
 */
export async function makeWay(
  project: Project,
  { clients = {} }: StartOptions,
  options: StopOptions,
): Promise<boolean> {
  const composed = composeProject(project);
  try {
    await refuseBadStart(composed.context(callerFrom(process.env)), clients);
  } finally {
    await composed.close();
  }
  try {
    await stopService(project, options);
    return true;
  } catch (error) {
    if (isRefusal(error, 'service_not_running')) return false;
    throw error;
  }
}

async function stopStandby(project: Project): Promise<{ pid: number }> {
  const standby = standbyOf(project);
  if (standby === undefined) throw nothingToStop();
  new ProcessTable().signal(standby.pid, 'SIGTERM');
  await untilEnded(standby.pid);
  return { pid: standby.pid };
}

/** Start options for a restarted service: `options` over those of the previous start. */
export function earlierStartOptions(project: Project, options: StartOptions): StartOptions {
  const before = (serviceState(project)?.startOptions ?? {}) as Partial<StartOptions>;
  return { ...before, ...options, clients: { ...before.clients, ...options.clients } };
}

/**
 * Runs one tick, in the project's service if one answers, else in this process. With `dryRun`, returns only the
 * decisions.
 */
export async function tick(project: Project, dryRun: boolean): Promise<unknown> {
  const reply = await leadingService(project).ask({ cmd: 'tick', dry_run: dryRun });
  if (reply.state === 'answered') return reply.result;
  return dryRun ? await previewInProcess(project) : await tickInProcess(project);
}

/**
 * Runs one tick in this process, without a service. Runs it starts continue, and the next service or command settles
 * them.
 */
async function tickInProcess(project: Project): Promise<TickRows> {
  const engine = await Engine.open({ project });
  try {
    await engine.coordinator.begin();
    return tickRows(await engine.coordinator.tickThrough());
  } finally {
    await engine.stop({ killRuns: false });
  }
}

/**
 * Runs an operation that needs a coordinator while no service is up. Starts nothing except what the operation requests.
 */
export async function callInEngine<Input, Parsed, Answer>(
  project: Project,
  spec: OperationSpec<Input, Parsed, Answer>,
  input: Input,
  { caller, request }: { caller: Caller; request: RequestMark },
): Promise<Answer> {
  const engine = await Engine.open({ project });
  try {
    return await engine.call(spec, input, caller, request);
  } finally {
    await engine.stop({ killRuns: false });
  }
}

/** Decisions that a tick in this process would make. Read-only. */
async function previewInProcess(project: Project): Promise<{ decisions: DecisionRow[] }> {
  const composed = composeProject(project);
  try {
    const context = composed.context(callerFrom(process.env));
    const store = await context.graph();
    const { coordinator } = await composeCoordinator({
      project,
      context,
      store,
      workers: NO_WORKERS,
      runs: new ReadOnlyRuns(project.layout.agents, runEnds(project), new ProcessTable(), store.clock),
      books: new Books({ store: async () => store, alone: true }), // commits nothing, so other processes do not matter
      startOptions: { maxAgents: undefined, pollMs: undefined, clients: {} },
      terms: {},
      note: () => undefined,
    });
    await coordinator.adopt();
    return { decisions: decisionRows(await coordinator.preview()) };
  } finally {
    await composed.close();
  }
}
