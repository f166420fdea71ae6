import { existsSync } from 'node:fs';
import { TroupeError } from '#kernel/errors.js';
import { callerFrom, composeProject, graphFolder, runtimeFolder } from '#main/compose.js';
import { Engine } from '#main/engine.js';
import { keptOverRestarts } from '#main/kept.js';
import { killService, serviceState, untilGone } from '#main/service-process.js';
import { type DecisionRow, decisionRows } from '#operations/service/decision-rows.js';
import { SessionReader } from '#operations/sessions/session-facts.js';
import type { StartOptions, StopOptions } from '#surfaces/cli/host.js';
import { askService } from '#surfaces/socket/client.js';
import { socketPath } from '#surfaces/socket/protocol.js';

/**
 * Stops the service and waits until it has ended. `service_not_running` when there is none; one that does not answer is
 * ended only with `force`.
 */
export async function stopService(projectFolder: string, { killAgents, force }: StopOptions): Promise<{ pid: number }> {
  const socket = socketPath(projectFolder, runtimeFolder(process.env));
  const caller = callerFrom(process.env);
  if (!existsSync(socket)) throw new TroupeError('service_not_running');
  try {
    const up = await askService(socket, { cmd: 'status' });
    if (up.state !== 'answered') throw new TroupeError('service_not_running');
    const { pid } = up.result as { pid: number };
    await askService(socket, { cmd: 'shutdown', kill_agents: killAgents, force, caller });
    await untilGone(pid);
    return { pid };
  } catch (error) {
    if (!force || !(error instanceof TroupeError) || error.code !== 'service_silent') throw error;
    if (caller.kind === 'run') throw new TroupeError('not_yours', { what: 'A run may not stop the service.' });
    return { pid: await killService(projectFolder) };
  }
}

/** What a service is to be started with after another: what is said now, else what was said then. */
export function saidBefore(projectFolder: string, options: StartOptions): StartOptions {
  const before = (serviceState(projectFolder)?.said ?? {}) as Partial<StartOptions>;
  return { ...before, ...options, clients: { ...before.clients, ...options.clients } };
}

/** One tick in this process, where no service is: runs it starts go on, and are settled by whoever comes next. */
export async function tickHere(projectFolder: string): Promise<{ decisions: DecisionRow[] }> {
  const decisions: DecisionRow[] = [];
  const engine = await Engine.start({
    projectFolder,
    onDecisions: (decided) => decisions.push(...decisionRows(decided)),
  });
  await engine.stop({ killRuns: false });
  return { decisions };
}

/** What a tick in this process would decide. Reads only. */
export async function previewHere(projectFolder: string): Promise<{ decisions: DecisionRow[] }> {
  const [{ CoordinatorLoop }, { ModelClients }, { RunsLookedAt }, { ProcessTable }, { systemClock }, { clientParts }] =
    await Promise.all([
      import('#operations/service/coordinator-loop.js'),
      import('#operations/service/model-clients.js'),
      import('#adapters/runs/runs-looked-at.js'),
      import('#adapters/processes/process-table.js'),
      import('#kernel/clock.js'),
      import('#main/clients.js'),
    ]);
  const project = composeProject(projectFolder);
  try {
    const context = project.context(callerFrom(process.env));
    const store = await context.graph();
    const clients = new ModelClients({ context, ...clientParts(projectFolder) });
    const { settings } = await clients.reload();
    const { backOff, paused } = keptOverRestarts(graphFolder(projectFolder));
    const view = await store.view();
    const claims = [...view.nodes()].flatMap(({ id }) => {
      const task = view.task(id);
      const held = task?.status === 'in-progress' && task.assigned !== undefined;
      return held ? [{ run: task.assigned, taskId: id, fence: task.fence ?? 0 }] : [];
    });
    const runs = new RunsLookedAt(`${graphFolder(projectFolder)}/agents`, new ProcessTable(), claims);
    const loop = new CoordinatorLoop({
      store,
      runs,
      clients,
      sessions: new SessionReader(context, () => undefined),
      clock: systemClock,
      maxAgents: settings.coordinator.max_agents,
      ...(backOff ? { backOff } : {}),
      ...(paused === undefined ? {} : { paused }),
    });
    return { decisions: decisionRows(await loop.preview()) };
  } finally {
    await project.close();
  }
}
