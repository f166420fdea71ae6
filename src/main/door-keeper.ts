import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileRunFolders } from '#adapters/runs/run-outputs.js';
import { TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { freshRequest, type RequestMark } from '#kernel/request.js';
import { callHere } from '#main/call-here.js';
import { callersOf } from '#main/caller.js';
import { SYSTEM_WAIT_CLOCK } from '#main/host.js';
import { projectAt } from '#main/project.js';
import { remoteLeaderOf } from '#main/remote-leader.js';
import { ServiceDoors } from '#main/run-doors.js';
import { serviceAt } from '#main/service-at.js';
import { specOf } from '#operations/named.js';
import { onlyLooks } from '#operations/operation-spec.js';
import type { Callers } from '#ports/callers.js';
import type { Project } from '#ports/project.js';
import type { Service } from '#ports/service.js';
import { callThrough } from '#surfaces/socket/call-through.js';
import { socketRequest } from '#surfaces/socket/requests.js';

/**
 * Serves the sockets of runs that continue without a service, until the last of them has ended or a service is up.
 * Their reports are written at once.
 */
export async function keepDoors(projectFolder: string): Promise<void> {
  const project = projectAt(projectFolder);
  const service = serviceAt(project);
  const { agents } = project.layout;
  const runs = new FileRunFolders(agents, async () => new ProcessTable());
  const callers = await callersOf(project);
  const doors = new ServiceDoors(agents, (run, line) => answerHere(project, callers, { run, line }));
  let kept = (await runs.atWork()).map(({ id }) => id).filter((id) => existsSync(doors.place(id)));
  for (const run of kept) await doors.open(run);
  while (kept.length > 0 && !(await isServed(service))) {
    await delay(WORK_LIMITS.doorLookMs);
    const states = await Promise.all(kept.map((run) => runs.state(run)));
    kept = kept.filter((_, index) => states[index] === 'at-work');
  }
  await doors.releaseDoors();
}

/** A service that is up but does not answer serves no run sockets, so it does not count. */
async function isServed(service: Service): Promise<boolean> {
  return (await service.up().catch(() => undefined)) !== undefined;
}

async function answerHere(
  project: Project,
  callers: Callers,
  { run, line }: { readonly run: string; readonly line: JsonObject },
): Promise<unknown> {
  const request = socketRequest(line);
  if (request.cmd === 'identify') return { introduced: false };
  const caller = await callers.atDoor(run, request);
  if (request.cmd !== 'operation') throw new TroupeError('service_not_running');
  const spec = specOf(request.name);
  if (spec.where === 'caller')
    throw new TroupeError('bad_input', { what: `${spec.name} does not run in the service.` });
  const { request_id: requestId } = request;
  const mark = requestId === undefined ? freshRequest() : { requestId, fresh: false };
  const here = (asked: RequestMark) =>
    callHere(spec, request.input, project, { caller, request: asked, appeared: undefined, tell: () => undefined });
  const looks = onlyLooks(spec, request.input);
  const call = { name: spec.name, input: request.input, byRun: false, looks, here, request: mark };
  return callThrough(await remoteLeaderOf(project, caller), call, SYSTEM_WAIT_CLOCK);
}
