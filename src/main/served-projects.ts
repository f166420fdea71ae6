import path from 'node:path';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { ServiceRecords } from '#adapters/processes/service-records.js';
import { isJsonObject } from '#kernel/json.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { runtimeFolder } from '#main/places.js';
import type { ServedCounts, ServedProjects } from '#ports/served-projects.js';
import { ANONYMOUS_ASKER, askService } from '#surfaces/socket/client.js';

/** Records of the services of this person, in a folder of its own beside those of their sockets. */
export function serviceRecords(): ServiceRecords {
  const folder = path.join(runtimeFolder(process.env), 'troupe-services');
  return new ServiceRecords({ folder, processes: new ProcessTable() });
}

/** The projects of this person with a service. Each is asked at its socket, as anybody who only reads may. */
export function servedProjects(): ServedProjects {
  const records = serviceRecords();
  return {
    all: () =>
      records.all().map(({ folder, since, port, listens = [], socket }) => ({
        ...{ folder, since, port, listens },
        counts: () => countsAt(socket),
      })),
    faults: () => records.faults(),
  };
}

/** Counts as a service answers them. It is another program: nothing of its answer is believed but two numbers. */
async function countsAt(socket: string): Promise<ServedCounts | undefined> {
  const request = { cmd: 'operation', name: 'status.now', input: {} } as const;
  const signal = AbortSignal.timeout(WORK_LIMITS.otherServiceMs);
  const patienceMs = WORK_LIMITS.serviceSilentMs;
  const reply = await askService(socket, request, ANONYMOUS_ASKER, patienceMs, signal).catch(() => undefined);
  const now = reply?.state === 'answered' && isJsonObject(reply.result) ? reply.result : {};
  const [tasks, roles, running] = [now['needs_you'], now['roles'], now['running']].map(totalOf);
  if (tasks === undefined || roles === undefined || running === undefined) return undefined;
  return { needsYou: tasks + roles + (Number(now['to_land']) > 0 ? 1 : 0), running };
}

function totalOf(list: unknown): number | undefined {
  const total = isJsonObject(list) ? list['total'] : undefined;
  return typeof total === 'number' && Number.isSafeInteger(total) && total >= 0 ? total : undefined;
}
