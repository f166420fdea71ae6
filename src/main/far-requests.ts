// Requests between the machines of a project in a database, loaded where a project is in one.
import { PostgresRequests } from '#adapters/far-requests/postgres-requests.js';
import { PostgresDatabase } from '#adapters/postgres/database.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { callerAt } from '#main/caller.js';
import { chosenPlace, processInWords } from '#main/database-place.js';
import { ownLeaderCard } from '#main/leader-key.js';
import { runsKnownHere } from '#main/runs-known-here.js';
import { refuseImpostor } from '#operations/calls-of-runs.js';
import type { Caller } from '#ports/callers.js';
import type { FarRequests } from '#ports/far-requests.js';
import type { Project } from '#ports/project.js';
import { FarService } from '#surfaces/socket/far-service.js';

/** Errors: `database_not_chosen`, and those of the address. */
export async function farRequests(project: Project, named: string): Promise<FarRequests> {
  const { address, name } = chosenPlace(project, named, new ProcessTable());
  return new PostgresRequests({
    database: await PostgresDatabase.of(address, name),
    who: processInWords(),
    leader: ownLeaderCard,
  });
}

/** The leader of a project, asked as the process that this is. */
export function farService(project: Project, named: string): FarService {
  return farServiceFor(project, named, async () => knownFromAfar(project, await callerAt(project, process.env)));
}

/** The same in the name of another, who is known here. */
export function farServiceFor(project: Project, named: string, caller: () => Promise<Caller>): FarService {
  return new FarService(() => farRequests(project, named), caller);
}

/** A caller that another machine may believe: a run by its name and attempt, once it has proved here that it is that run. */
async function knownFromAfar({ layout }: Project, caller: Caller): Promise<Caller> {
  if (caller.kind === 'person') return caller;
  await refuseImpostor(
    runsKnownHere(layout, async () => new ProcessTable()),
    caller,
  );
  const { kind, name, taskId, fence } = caller;
  return { kind, name, taskId, fence, atItsDoor: true };
}
