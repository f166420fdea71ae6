// Requests between the machines of a project in a database; loaded only for such projects. Most of its callers are people
// who ask the leader: what only a run, a leader or a standby needs is loaded for these.

import { PostgresDatabase } from '#adapters/postgres/database.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { PostgresRequests } from '#adapters/workers/postgres-requests.js';
import { callerAt } from '#main/caller.js';
import { chosenPlace, processInWords } from '#main/database-place.js';
import type { Caller } from '#ports/callers.js';
import type { Project } from '#ports/project.js';
import type { RemoteRequests } from '#ports/remote-requests.js';
import { RemoteLeaderService } from '#surfaces/socket/remote-leader-service.js';

/** Opens the request channel of a project. Errors: `database_not_chosen`, and those of the address. */
export async function openRemoteRequests(project: Project, named: string): Promise<RemoteRequests> {
  const { address, name } = chosenPlace(project, named, new ProcessTable());
  return new PostgresRequests({
    database: await PostgresDatabase.of(address, name),
    who: processInWords(),
    leader: async () => (await import('#main/leader-key.js')).ownLeaderCard(),
  });
}

/** Client for the project's leader; this process is the caller. */
export function remoteService(project: Project, named: string): RemoteLeaderService {
  return remoteServiceFor(project, named, async () => knownFromAfar(project, await callerAt(project, process.env)));
}

/** Client for the project's leader on behalf of another authenticated caller. */
export function remoteServiceFor(project: Project, named: string, caller: () => Promise<Caller>): RemoteLeaderService {
  return new RemoteLeaderService(() => openRemoteRequests(project, named), caller);
}

/**
 * A caller that other machines may trust: a run is identified by name and fence once it has proved its identity here.
 */
async function knownFromAfar({ layout }: Project, caller: Caller): Promise<Caller> {
  if (caller.kind === 'person') return caller;
  const [{ authenticateRun }, { runsKnownHere }] = await Promise.all([
    import('#operations/calls-of-runs.js'),
    import('#main/runs-known-here.js'),
  ]);
  await authenticateRun(
    runsKnownHere(layout, async () => new ProcessTable()),
    caller,
  );
  const { kind, name, taskId, fence } = caller;
  return { kind, name, taskId, fence, atItsDoor: true };
}
